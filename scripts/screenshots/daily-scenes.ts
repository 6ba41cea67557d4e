import type { Page } from '@playwright/test';
import type { BulkReport } from '#contracts/bulk.ts';
import { answer, at, button, dashboard, fromTab, type Scene } from './scene.ts';
import type { Stage } from './stage.ts';

const select = (act: (page: Page) => Promise<unknown> = async () => {}, query = '') =>
  dashboard(async (page) => {
    await page.locator('[data-select]').first().check({ force: true });
    await page
      .locator('[data-select]')
      .nth(2)
      .click({ modifiers: ['Shift'], force: true });
    await page.getByRole('region', { name: '3 selected' }).waitFor();
    await act(page);
  }, query);

/** Narrow screens have the views in the menu More. */
const openViews = (page: Page) =>
  page
    .getByRole('button', { name: /^(Views|More)/ })
    .filter({ visible: true })
    .first()
    .click();

const BULK_RUN: BulkReport = {
  id: 1,
  action: 'process',
  status: 'running',
  total: 312,
  done: 140,
  started: 0,
  failed: 2,
  skipped: 5,
  cancelRequested: false,
  error: null,
  startedBy: { id: 1, username: 'admin' },
  createdAt: '2026-03-05T16:05:09.000Z',
  finishedAt: null,
  reasons: [
    { outcome: 'skipped', reason: 'This interview has no video.', count: 5 },
    { outcome: 'failed', reason: "YouTube's daily quota is used up.", count: 2 },
  ],
  items: [
    {
      interviewId: 'iv_1',
      title: 'Registered Nurse – Ada',
      outcome: 'skipped',
      reason: 'This interview has no video.',
    },
    {
      interviewId: 'iv_2',
      title: 'Registered Nurse – Ben',
      outcome: 'failed',
      reason: "YouTube's daily quota is used up.",
    },
  ],
};

/** A bulk run in this state, started from the bar. */
const bulkRun =
  (part: Partial<BulkReport>, act: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page, stage: Stage) => {
    await answer(page, '/api/bulk', 202, { ...BULK_RUN, ...part });
    await answer(page, '/api/bulk/1', 200, { ...BULK_RUN, ...part });
    await select((selected) => selected.getByRole('button', { name: 'Process', exact: true }).click())(page, stage);
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Process/ })
      .click();
    await page.getByRole('region', { name: 'Bulk run' }).waitFor();
    await act(page);
  };

const ENDED: Partial<BulkReport> = {
  status: 'completed',
  done: 305,
  failed: 2,
  skipped: 5,
  finishedAt: '2026-03-05T16:15:09.000Z',
};
export const DAILY_SCENES: readonly Scene[] = [
  { name: 'search-matches', show: dashboard(undefined, '?search=browser') },
  { name: 'archived', show: at('/?archived=1', (page) => page.getByRole('heading', { level: 1 })) },
  { name: 'selection', show: select() },
  { name: 'selection-compact', show: select(undefined, '?layout=compact') },
  { name: 'bulk-running', show: bulkRun({}) },
  { name: 'bulk-ended', show: bulkRun(ENDED) },
  { name: 'bulk-report', show: bulkRun(ENDED, (page) => button(page, 'Report').click()) },
  {
    name: 'saved-views',
    show: async (page, stage) => {
      const view = (id: number, name: string, query: string) => ({ id, name, query });
      await answer(page, '/api/saved-views', 200, [
        view(1, 'Failed steps', 'status=error'),
        view(2, 'My new nurses', 'search=nurse&status=new'),
      ]);
      await dashboard(undefined, '?status=error')(page, stage);
      await openViews(page);
    },
  },
  {
    name: 'save-view',
    show: dashboard(async (page) => {
      await openViews(page);
      await page.getByRole('menuitem', { name: 'Save view' }).click();
    }, '?status=error'),
  },
  {
    name: 'command-palette',
    show: dashboard(async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    }),
  },
  {
    name: 'command-palette-candidates',
    show: dashboard(async (page, { interview }) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type(interview.candidateName?.split(' ')[0] ?? '');
      await page
        .getByRole('option', { name: interview.candidateName ?? '' })
        .first()
        .waitFor();
    }),
  },
  { name: 'active-funnel', show: dashboard((page) => button(page, /^Active funnel/).click()) },
  {
    name: 'layout-compact-unfolded',
    show: dashboard((page) => button(page, /^Details of/).click(), '?layout=compact'),
  },
  {
    name: 'destination-needs',
    show: dashboard((page) => page.getByRole('tab', { name: 'Destination' }).nth(1).click()),
  },
  { name: 'toast', show: fromTab('Transcript', 'View Transcript', (page) => button(page, 'Copy').click()) },
  {
    name: 'toast-action',
    show: dashboard(async (page) => {
      await answer(page, '/api/interviews/*/archive', 200, { message: 'Archived' });
      await button(page, /^Actions for/).click();
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await button(page, 'Undo').waitFor();
    }),
  },
  {
    name: 'toast-failure',
    show: dashboard(async (page) => {
      await answer(page, '/api/interviews/*/convert', 409, {
        message: "YouTube's daily quota is used up. Try again tomorrow.",
        code: 'conflict',
      });
      await button(page, 'Convert to YouTube').click();
      await page.getByText("YouTube's daily quota").first().waitFor();
    }),
  },
  {
    name: 'bulk-destination',
    show: select((page) => page.getByRole('button', { name: 'Set Destination', exact: true }).last().click()),
  },
  { name: 'selection-all', show: select((page) => button(page, /^Select all/).click()) },
];
