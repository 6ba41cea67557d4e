import type { Locator, Page } from '@playwright/test';
import type { BulkReport } from '#contracts/bulk.ts';
import type { ErrorCode } from '#contracts/errors.ts';
import type { Setup } from '#contracts/setup.ts';
import { CREDENTIALS } from '../../test/e2e/support/product.ts';
import type { Stage } from './stage.ts';

/** A state of the product to take a picture of. */
export interface Scene {
  name: string;
  /** Brings a signed-in page to the state. */
  show(page: Page, stage: Stage): Promise<unknown>;
}

const at =
  (
    path: string,
    ready: (page: Page) => Locator,
    act: (page: Page, stage: Stage) => Promise<unknown> = async () => {},
  ) =>
  async (page: Page, stage: Stage) => {
    await page.goto(path);
    await ready(page).first().waitFor();
    await act(page, stage);
  };

const cards = (page: Page) => page.getByRole('article');
const dashboard = (act?: (page: Page, stage: Stage) => Promise<unknown>, query = '') => at(`/${query}`, cards, act);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const card = (page: Page, { interview }: Stage) => page.getByRole('article', { name: interview.title });

/** Opens a dialog from a tab of the interview's card. */
const fromTab = (tab: string, name: string, act: (page: Page) => Promise<unknown> = async () => {}) =>
  dashboard(async (page, stage) => {
    await card(page, stage).getByRole('tab', { name: tab }).click();
    await card(page, stage).getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await act(page);
  });

const play = (act: (page: Page) => Promise<unknown> = async () => {}) =>
  dashboard(async (page, stage) => {
    await card(page, stage)
      .getByRole('button', { name: /^Play / })
      .click();
    await page.locator('video').waitFor();
    await act(page);
  });

const picker = (name: string | RegExp, search: string) =>
  dashboard(async (page) => {
    await button(page, name).click();
    await page.getByPlaceholder(search).waitFor();
  });

const fromUserMenu = (item: string, act: (page: Page) => Promise<unknown> = async () => {}) =>
  dashboard(async (page) => {
    await page.getByRole('banner').getByRole('button').last().click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').waitFor();
    await act(page);
  });

/** Fakes one response: a real second factor would end the session that the other pictures need. */
const answer = (page: Page, path: string, status: number, json: object) =>
  page.route(`**${path}`, (route) => route.fulfill({ status, json }));

const RECOVERY_CODES = Array.from({ length: 10 }, (_, n) => `k7m2qp-4xw9tz-b3hd8v-${n}n5rcy`);

/** The sign-in form after a correct password that is not sufficient. */
const afterPassword = (code: ErrorCode, act: (page: Page) => Promise<unknown> = async () => {}) =>
  at(
    '/login',
    (page) => page.getByRole('button', { name: 'Sign in' }),
    async (page) => {
      await answer(page, '/api/login', 401, { message: 'Second factor required.', code });
      await page.getByLabel('Username').fill(CREDENTIALS.username);
      await page.getByLabel('Password').fill(CREDENTIALS.password);
      await button(page, 'Sign in').click();
      await act(page);
    },
  );

const DASHBOARD: Scene[] = [
  { name: 'dashboard', show: dashboard() },
  { name: 'dashboard-compact', show: dashboard(undefined, '?layout=compact') },
  {
    name: 'dashboard-nothing-found',
    show: at('/?search=no+such+text', (page) => page.getByText('No interviews found')),
  },
  { name: 'funnel-picker', show: picker('Funnels: All Funnels', 'Search funnels...') },
  { name: 'client-picker', show: picker(/^Clients: /, 'Search clients...') },
  { name: 'date-range', show: dashboard((page) => button(page, 'Any date range').click()) },
  { name: 'actions', show: dashboard((page) => button(page, /^Actions for/).click()) },
  { name: 'user-menu', show: dashboard((page) => page.getByRole('banner').getByRole('button').last().click()) },
  {
    name: 'shortcuts',
    show: dashboard(async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    }),
  },
  { name: 'change-password', show: fromUserMenu('Change password') },
  { name: 'second-factor', show: fromUserMenu('Two-factor sign-in') },
  {
    name: 'second-factor-app',
    show: fromUserMenu('Two-factor sign-in', async (page) => {
      await page.getByLabel('Current password').fill(CREDENTIALS.password);
      await button(page, 'Continue').click();
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    }),
  },
  {
    name: 'second-factor-codes',
    show: fromUserMenu('Two-factor sign-in', async (page) => {
      await page.getByLabel('Current password').fill(CREDENTIALS.password);
      await button(page, 'Continue').click();
      await answer(page, '/api/user/second-factor', 200, { recoveryCodes: RECOVERY_CODES });
      await page.getByLabel('6-digit code').fill('123456');
      await button(page, 'Turn on').click();
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    }),
  },
  {
    name: 'second-factor-on',
    show: async (page, stage) => {
      const on = { confirmedAt: '2026-03-05T16:05:09.000Z', recoveryCodesLeft: 9, required: false };
      await answer(page, '/api/user/second-factor', 200, on);
      await fromUserMenu('Two-factor sign-in')(page, stage);
      await button(page, 'Turn off').waitFor();
    },
  },
  {
    name: 'refresh-options',
    show: dashboard((page) => page.getByRole('button', { name: 'Refresh', exact: true }).click()),
  },
  {
    name: 'refresh-in-progress',
    show: async (page, stage) => {
      await dashboard()(page, stage);
      await stage.slowRefresh();
      await page.getByText(/^Refresh in Progress/).waitFor();
    },
  },
  {
    name: 'refresh-error',
    show: async (page, stage) => {
      await stage.failedRefresh();
      await dashboard()(page, stage);
      await page.getByText('Refresh Error').first().waitFor();
    },
  },
];

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

/** Fakes one answer of a dashboard that is empty otherwise. */
const emptyDashboard = (setup: Setup) => async (page: Page) => {
  await answer(page, '/api/interviews?*', 200, { interviews: [], total: 0, failures: { steps: 0, interviews: 0 } });
  await answer(page, '/api/setup', 200, setup);
  await page.goto('/');
  await page.getByText('Click the Refresh button').first().waitFor();
};

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
    { interviewId: 'iv_2', title: 'Registered Nurse – Ben', outcome: 'failed', reason: "YouTube's quota is used up." },
  ],
};

/** A bulk run in this state, started from the bar. */
const bulkRun =
  (part: Partial<BulkReport>, act: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page, stage: Stage) => {
    await answer(page, '/api/bulk', 202, { ...BULK_RUN, ...part });
    await answer(page, '/api/bulk/1', 200, { ...BULK_RUN, ...part });
    await select((selected) => selected.getByRole('button', { name: 'Process', exact: true }).click())(page, stage);
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
const NOT_SET_UP: Setup = {
  interviewService: true,
  sources: ['rest'],
  funnel: false,
  activeFunnel: false,
  refreshed: false,
  youtube: false,
  transcription: true,
  summaries: true,
  applicationLink: false,
};

const DAILY: Scene[] = [
  { name: 'first-run', show: emptyDashboard(NOT_SET_UP) },
  { name: 'search-matches', show: dashboard(undefined, '?search=shift') },
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
      await page.getByRole('navigation', { name: 'Saved views' }).waitFor();
    },
  },
  { name: 'save-view', show: dashboard((page) => button(page, 'Save view').click(), '?status=error') },
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
    show: dashboard((page) => page.getByRole('tab', { name: 'Destination' }).nth(2).click()),
  },
  { name: 'toast', show: fromTab('Transcript', 'View Transcript', (page) => button(page, 'Copy').click()) },
];

const INTERVIEW: Scene[] = [
  {
    name: 'questions',
    show: dashboard(async (page, stage) => {
      await card(page, stage)
        .getByRole('button', { name: /^Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: 'View Questions' }).click();
    }),
  },
  { name: 'player', show: play((page) => page.getByRole('region', { name: 'Transcript' }).waitFor()) },
  {
    name: 'player-search',
    show: play((page) => page.getByRole('searchbox', { name: 'Search the transcript' }).fill('shift')),
  },
  { name: 'player-questions', show: play((page) => page.getByRole('tab', { name: 'Questions' }).click()) },
  { name: 'player-summary', show: play((page) => page.getByRole('tab', { name: 'Summary' }).last().click()) },
  {
    name: 'player-without-transcript',
    show: dashboard(async (page) => {
      await button(page, /^Play /).click();
      await page.locator('video').waitFor();
    }, '?status=new'),
  },
  { name: 'player-edit', show: play((page) => page.getByRole('tab', { name: 'Edit' }).click()) },
  { name: 'transcript', show: fromTab('Transcript', 'View Transcript') },
  { name: 'transcript-editor', show: fromTab('Transcript', 'View Transcript', (page) => button(page, 'Edit').click()) },
  { name: 'summary', show: fromTab('Summary', 'View Summary') },
  { name: 'summary-editor', show: fromTab('Summary', 'View Summary', (page) => button(page, 'Edit').click()) },
  {
    name: 'discard-changes',
    show: fromTab('Summary', 'View Summary', async (page) => {
      await button(page, 'Edit').click();
      await page.getByRole('textbox', { name: 'Summary text' }).fill('Something else.');
      await button(page, 'Cancel').click();
    }),
  },
  { name: 'destination', show: fromTab('Destination', 'Set Destination') },
  {
    name: 'destination-notes',
    show: fromTab('Destination', 'Set Destination', (page) =>
      page.getByRole('tab', { name: 'Additional Notes' }).click(),
    ),
  },
  { name: 'test-destination', show: at('/test-destination', (page) => page.getByRole('heading', { level: 1 })) },
];

const REST: Scene[] = [
  { name: 'funnels', show: at('/funnels', cards) },
  {
    name: 'funnels-nothing-found',
    show: at('/funnels?search=no+such+text', (page) => page.getByText('No funnels found')),
  },
  ...['Basic Settings', 'Description', 'Expectations'].map(
    (tab): Scene => ({
      name: `funnel-form-${tab.toLowerCase().replace(' ', '-')}`,
      show: at('/funnels', cards, async (page) => {
        await button(page, 'Edit').click();
        await page.getByRole('tab', { name: tab }).click();
      }),
    }),
  ),
  { name: 'funnel-delete', show: at('/funnels', cards, (page) => button(page, 'Delete').click()) },
  { name: 'logs', show: at('/system-logs', (page) => page.getByRole('table')) },
  {
    name: 'log-details',
    show: at(
      '/system-logs?type=refresh',
      (page) => page.getByRole('table'),
      async (page) => {
        await page
          .getByRole('row', { name: /sync-interviews/ })
          .getByRole('button')
          .first()
          .click();
        await page.getByRole('dialog').waitFor();
      },
    ),
  },
  { name: 'not-found', show: at('/no/such/page', (page) => page.getByText('Page Not Found')) },
];

export const SCENES: readonly Scene[] = [...DASHBOARD, ...DAILY, ...INTERVIEW, ...REST];

/** Scenes for anonymous users. */
export const OPEN_SCENES: readonly Scene[] = [
  { name: 'login', show: at('/login', (page) => page.getByRole('button', { name: 'Sign in' })) },
  {
    name: 'login-code',
    show: afterPassword('second_factor_required', (page) => page.getByLabel('Authenticator code').waitFor()),
  },
  {
    name: 'login-set-up',
    show: afterPassword('second_factor_setup_required', (page) => button(page, 'Set up').waitFor()),
  },
  {
    name: 'forgot-password',
    show: at(
      '/login',
      (page) => page.getByRole('button', { name: 'Sign in' }),
      (page) => button(page, 'Forgot password?').click(),
    ),
  },
];

/** Scenes for widths at which the navigation is a menu. */
export const NARROW_SCENES: readonly Scene[] = [
  { name: 'side-menu', show: dashboard((page) => button(page, 'Open menu').click()) },
];
