import type { Page } from '@playwright/test';
import type { Automation } from '#contracts/automation.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { anUpload, RECORDINGS_CSV } from '#support/an-upload.ts';
import { answer, at, button, cards, change, prepared, type Scene, withoutData } from './scene.ts';

const funnels = (act?: (page: Page) => Promise<unknown>, query = '') => at(`/funnels${query}`, cards, act);

const AUTOMATION: Automation = {
  funnelId: 0,
  lastRefreshAt: '2026-11-19T16:40:00.000Z',
  hasWebhook: false,
  lastEventAt: null,
  lastError: null,
  pausedReason: null,
  awaitingInterviews: 0,
};
/** The state of the automation on each card. */
const AUTOMATIONS: Partial<Automation>[] = [
  { hasWebhook: true, lastEventAt: '2026-11-19T16:55:00.000Z' },
  { lastError: 'The interview service returned an error (503). Try again in 15 minutes.' },
  { pausedReason: "The interview service rejected this funnel's API key. Update it in Funnels." },
  { awaitingInterviews: 12 },
  { lastRefreshAt: null, hasWebhook: true },
];

async function automated(page: Page): Promise<void> {
  await change<Funnel[]>(page, '/api/funnels', (list) => {
    for (const funnel of list) funnel.refreshMinutes = 30;
  });
  await page.route('**/api/automations', async (route) => {
    const list = (await (await page.request.get('/api/funnels')).json()) as Funnel[];
    await route.fulfill({ json: AUTOMATIONS.map((part, n) => ({ ...AUTOMATION, funnelId: list[n]?.id, ...part })) });
  });
}

const newFunnel = (act: (page: Page) => Promise<unknown> = async () => {}) =>
  funnels(async (page) => {
    await button(page, 'Add New Funnel').click();
    await page.getByRole('dialog').waitFor();
    await act(page);
  });

const fromSource = (source: string, act: (page: Page) => Promise<unknown> = async () => {}) =>
  newFunnel(async (page) => {
    await page.getByLabel('Source').selectOption(source);
    await act(page);
  });

const edit = (act: (page: Page) => Promise<unknown> = async () => {}) =>
  funnels(async (page) => {
    await page
      .getByRole('article')
      .filter({ hasText: 'Senior Frontend Engineer' })
      .getByRole('button', { name: 'Edit' })
      .click();
    await page.getByRole('dialog').waitFor();
    await act(page);
  });

/** An upload in each state. */
const UPLOADS = [
  anUpload({ id: 'up_1', fileName: 'Ada Stone - Night nurse.mp4' }),
  anUpload({ id: 'up_2', fileName: 'Bo.webm', state: 'checking', received: 4_000_000 }),
  anUpload({ id: 'up_3', fileName: 'Cy Dane.mov', state: 'duplicate', duplicateOf: 'iv_1' }),
  anUpload({
    id: 'up_4',
    fileName: 'notes.mp4',
    state: 'failed',
    problem: 'This file is not a recording. Upload another one.',
  }),
];

const uploads = (act: (page: Page) => Promise<unknown> = async () => {}) =>
  funnels(async (page) => {
    await button(page, 'Upload recordings').click();
    await page.getByRole('dialog').waitFor();
    await act(page);
  });

const choose = (page: Page, ...files: { name: string; text: string }[]) =>
  page.getByLabel('Drop recordings here').setInputFiles(
    files.map(({ name, text }) => ({
      name,
      mimeType: name.endsWith('.csv') ? 'text/csv' : name.endsWith('.mp4') ? 'video/mp4' : 'text/plain',
      buffer: Buffer.from(text),
    })),
  );

export const FUNNEL_SCENES: readonly Scene[] = [
  { name: 'funnels', show: funnels() },
  {
    name: 'funnels-nothing-found',
    show: at('/funnels?search=no+such+text', (page) => page.getByText('No funnels found')),
  },
  {
    name: 'funnels-empty',
    show: prepared(
      (page) => answer(page, '/api/funnels', 200, []),
      at('/funnels', (page) => page.getByText('No funnels found')),
    ),
  },
  ...withoutData({ name: 'funnels', path: '/funnels', read: '/api/funnels', loading: 'Loading funnels...' }),
  {
    name: 'funnels-automation',
    show: prepared(
      automated,
      funnels((page) => page.getByText('Paused').waitFor()),
    ),
  },
  ...['Basic Settings', 'Description', 'Expectations'].map(
    (tab): Scene => ({
      name: `funnel-form-${tab.toLowerCase().replace(' ', '-')}`,
      show: edit((page) => page.getByRole('tab', { name: tab }).click()),
    }),
  ),
  {
    name: 'funnel-form-automation',
    show: edit(async (page) => {
      await page.locator('summary').click();
      await button(page, 'Show webhook address').click();
      await page.getByLabel('Webhook address').scrollIntoViewIfNeeded();
    }),
  },
  { name: 'funnel-new', show: newFunnel() },
  {
    name: 'funnel-new-hireflix',
    show: fromSource('hireflix', async (page) => {
      await answer(page, '/api/funnels/positions', 200, {
        positions: [{ id: 'pos_1', name: 'Product Designer', isArchived: false }],
      });
      await answer(page, '/api/funnels/check', 200, { name: 'Product Designer', interviews: 14 });
      await page.getByLabel(/^API Key/).fill('a-key');
      await button(page, 'List positions').click();
      await page.getByLabel('Position', { exact: true }).selectOption('pos_1');
      await button(page, 'Test connection').click();
      await page.getByText(/^Connected to/).waitFor();
    }),
  },
  {
    name: 'funnel-new-videoask-refused',
    show: fromSource('videoask', async (page) => {
      const message = "VideoAsk rejected this funnel's API key. Update it in Funnels.";
      await answer(page, '/api/funnels/positions', 409, { message, code: 'conflict' });
      await page
        .getByLabel(/^Organization|^API Key/)
        .first()
        .fill('an-organization');
      await button(page, 'List positions').click();
      await page.getByText(message).waitFor();
    }),
  },
  { name: 'funnel-new-upload', show: fromSource('upload') },
  {
    name: 'funnel-new-errors',
    show: newFunnel(async (page) => {
      await page.locator('summary').click();
      await page.getByLabel(/^Refresh every/).fill('5');
      await page.getByLabel(/^Daily limit/).fill('none');
      await button(page, 'Create Funnel').click();
      await page.getByRole('alert').first().waitFor();
    }),
  },
  {
    name: 'funnel-restored',
    show: newFunnel(async (page) => {
      await page
        .getByLabel(/^Name|^Funnel Name/)
        .first()
        .fill('Electrician');
      await page.waitForTimeout(1_000);
      await page.reload();
      await page
        .getByText(/restored/i)
        .first()
        .waitFor();
    }),
  },
  { name: 'funnel-delete', show: funnels((page) => button(page, 'Delete').click()) },
  {
    name: 'funnel-created',
    show: newFunnel(async (page) => {
      const [funnel] = (await (await page.request.get('/api/funnels')).json()) as Funnel[];
      await page.route('**/api/funnels', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 201, json: { ...funnel, isActive: false } })
          : route.continue(),
      );
      await page
        .getByLabel(/^Name|^Funnel Name/)
        .first()
        .fill('Electrician');
      await page.getByLabel(/^API Key/).fill('a-key');
      await page.getByLabel(/^Funnel ID/).fill('an-id');
      await button(page, 'Create Funnel').click();
      await page.getByText('New funnel has been created successfully.').first().waitFor();
    }),
  },
  { name: 'uploads', show: uploads() },
  {
    name: 'uploads-chosen',
    show: uploads(async (page) => {
      await choose(
        page,
        { name: 'A.mp4', text: 'bytes' },
        { name: 'Ada Stone - Night nurse.mp4', text: 'other bytes' },
        { name: 'letter.docx', text: 'words' },
        { name: 'list.csv', text: RECORDINGS_CSV },
      );
      await page.getByText('The CSV file and the recordings differ').waitFor();
    }),
  },
  {
    name: 'uploads-errors',
    show: uploads(async (page) => {
      await choose(page, { name: 'A.mp4', text: 'bytes' });
      await page.getByLabel(/^Candidate name/).fill('');
      await page.getByLabel(/^Email/).fill('ada');
      await button(page, /^Upload 1/).click();
      await page.getByText('Candidate name is required').waitFor();
    }),
  },
  {
    name: 'uploads-unfinished',
    show: async (page, stage) => {
      await page.route('**/api/uploads', async (route) => {
        const list = (await (await page.request.get('/api/funnels')).json()) as Funnel[];
        const funnelId = list.find(({ source }) => source === 'upload')?.id ?? 0;
        await route.fulfill({ json: UPLOADS.map((upload) => ({ ...upload, funnelId })) });
      });
      await uploads((opened) => opened.getByText('Add anyway').waitFor())(page, stage);
    },
  },
];
