import type { Page } from '@playwright/test';
import { cardOf, chooseAction, expect, test } from './support/journey.ts';

/**
 * Returns the name and size of every target smaller than 44 px. Targets with `touch-beyond` extend
 * beyond their visible edges.
 */
const smallTargets = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('a, button, input, select, textarea, [role=menuitem], [role=option]')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.inert)
      .filter((element) => !element.closest('.sr-only, label, .touch-beyond'))
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => width > 1 && (width < 43.5 || height < 43.5))
      .map(([element, { width, height }]) =>
        (element.ariaLabel ?? element.textContent).trim().slice(0, 40) + ' ' + Math.round(width) + ' x ' + Math.round(height))
  `);

test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

test('on small screens every touch target has at least 44 px', async ({ page, product, signIn, console }) => {
  console.allow(404, '/no/such/page');
  const { recruiter, sandbox } = product;
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await smallTargets(page), 'Login').toEqual([]);

  await signIn();
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [interview] = await recruiter.interviews();
  await page.goto('/');
  const card = cardOf(page, interview?.title ?? '');
  await expect(card).toBeVisible();
  expect(await smallTargets(page), 'Interviews').toEqual([]);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  expect(await smallTargets(page), 'Filters').toEqual([]);
  await page.getByRole('button', { name: 'Any date range' }).click();
  await expect(page.getByRole('button', { name: 'Apply' })).toBeVisible();
  expect(await smallTargets(page), 'Date range').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('grid')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await chooseAction(card, 'View Questions');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await smallTargets(page), 'Questions').toEqual([]);
  await page.keyboard.press('Escape');
  // The dialog goes back in the history, which would abort a navigation.
  await expect(page).toHaveURL('/');
  for (const [path, heading] of [
    ['/funnels', 'Funnel Management'],
    ['/system-logs', 'System Logs'],
    ['/no/such/page', 'Page Not Found'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    expect(await smallTargets(page), heading).toEqual([]);
  }
});
