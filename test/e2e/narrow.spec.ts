import type { Page } from '@playwright/test';
import { cardOf, chooseAction, expect, test } from './support/journey.ts';

/** 320 px equal 1280 px at 400 % zoom, where no page may scroll sideways (WCAG 2.2, 1.4.10). */
test.use({ viewport: { width: 320, height: 640 } });

const fits = async (page: Page, what: string) =>
  expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth'), { message: what })
    .toBeLessThanOrEqual(320);

test('every screen fits a width of 320 px', async ({ page, product, signIn }) => {
  const { recruiter, sandbox } = product;
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await fits(page, 'Login');
  await signIn();
  const longName = 'Landschaftsarchitekturbüroassistenz'.repeat(2);
  const [warehouse] = await recruiter.connect({ ...sandbox.funnels[3], name: longName } as never);
  if (warehouse) await recruiter.refresh(warehouse);
  const [interview] = await recruiter.interviews();
  await product.sql(
    "UPDATE interview SET title = repeat('Donaudampfschifffahrt', 8), candidate_email = repeat('a', 90) || '@example.com' WHERE id = $1",
    [interview?.id],
  );
  await page.goto('/');
  const card = cardOf(page, /^Donaudampf/);
  await expect(card).toBeVisible();
  await fits(page, 'Interviews');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await fits(page, 'Filters');
  await page.getByRole('button', { name: 'Any date range' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  const apply = await page.getByRole('button', { name: 'Apply' }).boundingBox();
  expect(apply && apply.x + apply.width).toBeLessThanOrEqual(320);
  await expect(page.getByRole('gridcell').last()).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('grid')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await chooseAction(card, 'View Questions');
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  await fits(page, 'Questions');
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: /^Play / }).click();
  await expect(page.locator('video')).toBeVisible();
  await fits(page, 'Player');
  const sideways =
    "[...document.querySelectorAll('[role=dialog] > div')].map((part) => part.scrollWidth - part.clientWidth)";
  expect(await page.evaluate<number[]>(sideways), 'the player scrolls sideways').toEqual([0]);
  await page.goto('/?layout=compact');
  await expect(card).toBeVisible();
  await fits(page, 'Compact layout');
  for (const path of ['/funnels', '/system-logs', '/test-destination']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await fits(page, path);
  }

  // A screen of 1024 px at 400 % zoom is this high: menus and dialogs scroll as a whole.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.getByRole('banner').getByRole('button').last().click();
  const item = page.getByRole('menuitem', { name: 'Sign out everywhere' });
  await item.scrollIntoViewIfNeeded();
  await expect(item).toBeInViewport();
  await page.keyboard.press('Escape');
  await page.goto('/funnels?dialog=create-funnel');
  const create = page.getByRole('button', { name: 'Create Funnel' });
  await expect(page.getByLabel('API Key')).toBeFocused();
  await expect(create).not.toBeInViewport();
  await create.scrollIntoViewIfNeeded();
  await expect(create).toBeInViewport();
});
