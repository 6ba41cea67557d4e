import type { Page } from '@playwright/test';
import type { LogEntry } from '#contracts/logs.ts';
import { expectAccessible } from './support/accessible.ts';
import { expect, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

const NOTHING = 'No logs found for the selected filters.';
const rows = (page: Page) => page.getByRole('table', { name: 'Log entries' }).locator('tbody').getByRole('row');
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'create-funnel' });
const live = (page: Page) => expect(page.getByText('Real-time updates')).toBeVisible();

/** Replaces all entries by one a day until 1 March 2026; the four types alternate. */
async function writeEntries({ sql }: RunningProduct, count: number): Promise<void> {
  await sql('DELETE FROM log_entry');
  await sql(
    `INSERT INTO log_entry (type, action, status, summary, created_at)
     SELECT (ARRAY['refresh', 'auth', 'system', 'error'])[n % 4 + 1], 'action-' || n,
            (ARRAY['success', 'info', 'warning', 'error'])[n % 4 + 1], 'Entry ' || n,
            '2026-03-01T12:00:00Z'::timestamptz - n * interval '1 day'
     FROM generate_series(0, $1 - 1) n`,
    [count],
  );
}

/** Returns the entry of a refresh that skipped an archived interview and updated another one. */
async function refreshTwice({ recruiter, sandbox }: RunningProduct): Promise<LogEntry> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (!warehouse) throw new Error('The sandbox lacks a funnel.');
  await recruiter.refresh(warehouse);
  const [archived, changed] = await recruiter.interviews();
  await recruiter.call('POST', `/api/interviews/${archived?.id}/archive`);
  sandbox.control.change('warehouse', changed?.id ?? '', {
    title: '<b>Renamed</b>',
    description: `${'A long description of the work in the warehouse. '.repeat(12)}The end.`,
    updatedAt: new Date().toISOString(),
  });
  await recruiter.refresh(warehouse);
  const { logs } = await recruiter.call<{ logs: LogEntry[] }>('GET', '/api/logs?type=refresh&limit=1');
  return logs[0] as LogEntry;
}

const topOf = async (page: Page) => (await page.getByRole('table').boundingBox())?.y;

test.beforeEach(({ signIn }) => signIn());

test('a new entry shows in the banner for three seconds and in the first row, unless filters exclude it', async ({
  page,
  product,
}) => {
  await writeEntries(product, 12);
  await page.goto('/system-logs');
  await expect(rows(page)).toHaveCount(10);
  await live(page);
  const top = await topOf(page);

  const began = Date.now();
  await product.recruiter.funnel({ name: 'Forklift' });
  await expect(banner(page)).toContainText('System');
  await expect(banner(page)).toContainText('Forklift');
  const shown = Date.now();
  await expect(rows(page).first()).toContainText('Forklift');
  await expect(rows(page)).toHaveCount(10);
  expect(await topOf(page)).toBe(top);
  await expect(banner(page)).toBeHidden();
  expect(Date.now() - began).toBeGreaterThan(2_900);
  expect(Date.now() - shown).toBeLessThan(10_000);
  expect(await topOf(page)).toBe(top);

  await page.goto('/system-logs?type=error');
  await expect(rows(page)).toHaveCount(3);
  await live(page);
  await product.recruiter.funnel({ name: 'Crane' });
  await expect(banner(page)).toContainText('Crane');
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first()).not.toContainText('Crane');
});

test('the details of a refresh show skipped and changed interviews and return the focus', async ({ page, product }) => {
  const { id } = await refreshTwice(product);
  await page.goto('/system-logs?type=refresh');
  const button = rows(page).filter({ hasText: 'sync-interviews' }).first().getByRole('button', { name: 'Details' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Log Details' });
  const fact = (name: string) =>
    dialog
      .locator('dt', { hasText: new RegExp(`^${name}$`) })
      .first()
      .locator('+ dd');
  await expect(fact('ID')).toHaveText(String(id));
  await expect(fact('Total')).toHaveText('4');
  await expect(fact('Updated')).toHaveText('1');
  await expect(fact('Archived')).toHaveText('1');
  await expect(fact('Processing Time')).toHaveText(/^\d+(\.\d+)? seconds$/);
  await expect(dialog.getByRole('table', { name: 'Skipped interviews' })).toContainText(/archived/i);

  const changes = dialog.getByRole('table', { name: /^Changes to/ });
  await expect(changes.getByRole('row').filter({ hasText: 'title' })).toContainText('<b>Renamed</b>');
  const description = changes.getByRole('row').filter({ hasText: 'description' }).getByRole('cell').last();
  const [before, more] = [await description.boundingBox(), description.getByRole('button', { name: 'Show all' })];
  await more.click();
  await expect(description.getByRole('button', { name: 'Show less' })).toBeFocused();
  expect((await description.boundingBox())?.height).toBeGreaterThan(before?.height ?? 0);

  for (const heading of ['Funnel Information', 'Operation Summary', 'Raw Metadata'])
    await expect(dialog.getByRole('heading', { name: heading })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test('an open dialog keeps its entry while new entries arrive', async ({ page, product }) => {
  await writeEntries(product, 12);
  await page.goto('/system-logs');
  await live(page);
  await rows(page).nth(9).getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log Details' });
  await expect(dialog).toContainText('Entry 9');
  await product.recruiter.funnel({ name: 'Forklift' });
  await expect(page.locator('tbody tr').first()).toContainText('Forklift');
  await expect(dialog).toContainText('Entry 9');
  await page.keyboard.press('Escape');
  // The entry and its button have moved to the second page.
  await expect(page.getByRole('main')).toBeFocused();
});

test('the page is never wider than the screen, and every cell of a row is readable', async ({ page, product }) => {
  await refreshTwice(product);
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto('/system-logs');
  await expect(rows(page).first()).toBeVisible();
  for (const width of [320, 375, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible({ visible: width < 768 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), `${width} px`).toBeLessThanOrEqual(width);
    const time = await rows(page).first().getByRole('time').boundingBox();
    expect(time?.height, `the time is on one line at ${width} px`).toBeLessThan(26);
    for (const place of [0, 1, 3, 4, 5]) {
      const box = await rows(page).first().getByRole('cell').nth(place).boundingBox();
      expect(box?.width, `cell ${place} at ${width} px`).toBeGreaterThan(40);
      expect((box?.x ?? 0) + (box?.width ?? 0), `cell ${place} at ${width} px`).toBeLessThanOrEqual(width);
    }
  }
});

test('System Logs has no violation of WCAG 2.2 AA', async ({ page, product }) => {
  test.slow();
  await refreshTwice(product);
  await page.goto('/system-logs');
  await live(page);
  await product.recruiter.funnel({ name: 'Forklift' });
  await expect(rows(page).first()).toContainText('Forklift');
  await expectAccessible(page, 'system logs');
  await rows(page).filter({ hasText: 'sync-interviews' }).first().getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'details of a refresh');
  await page.keyboard.press('Escape');
  await rows(page).first().getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'details as JSON');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Error Logs' }).click();
  await expect(page.getByText(NOTHING).or(page.locator('[aria-busy=false]'))).toBeVisible();
  await expectAccessible(page, 'another tab', { part: 'main' });
  await page.goto('/system-logs?from=2020-01-01&to=2020-01-02');
  await expect(page.getByText(NOTHING)).toBeVisible();
  await expectAccessible(page, 'no entries', { part: 'main' });
});
