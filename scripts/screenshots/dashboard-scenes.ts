import type { Page } from '@playwright/test';
import type { Funnel } from '#contracts/funnels.ts';
import type { Interview } from '#contracts/interviews.ts';
import type { Setup } from '#contracts/setup.ts';
import { answer, at, button, change, dashboard, hang, picker, prepared, type Scene, withoutData } from './scene.ts';

const LIST = '/api/interviews?*';

/** The dashboard without funnels and interviews, and with these steps of the setup. */
const emptyDashboard = (setup: Setup) => async (page: Page) => {
  await answer(page, LIST, 200, { interviews: [], total: 0, failures: { interviews: 0, permanent: 0 } });
  await answer(page, '/api/review*', 200, { unwatched: 0, withoutTranscript: null, seconds: null });
  await answer(page, '/api/funnels', 200, []);
  await page.route('**/api/funnels/active', (route) =>
    route.fulfill({ body: 'null', contentType: 'application/json' }),
  );
  await answer(page, '/api/setup', 200, setup);
  await page.goto('/');
  await page.getByText('Click the Refresh button').first().waitFor();
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

/** Rare states of interviews, one for each card of the first page. */
const RARE: Partial<Interview>[] = [
  { thumbnailUrl: null, thumbnailFile: null },
  { thumbnailUrl: null, thumbnailFile: null, videoUrl: null, hasLocalCopy: false, duration: 0 },
  { candidateName: null, candidateEmail: null, clientName: null, watched: true },
  { title: 'Landschaftsarchitekturbüroassistenz und Donaudampfschifffahrtsgesellschaft '.repeat(3) },
  { interviewId: 'a-very-long-id-of-a-service-2026-11-19T16-40-00-000Z-0000000000000042' },
  { transcriptionStatus: 'in-progress', watched: true },
];

const rareCards = (page: Page) =>
  change<{ interviews: Interview[] }>(page, LIST, ({ interviews }) => {
    for (const [index, part] of RARE.entries()) Object.assign(interviews[index] ?? {}, part);
  });

export const DASHBOARD_SCENES: readonly Scene[] = [
  { name: 'dashboard', show: dashboard() },
  { name: 'dashboard-compact', show: dashboard(undefined, '?layout=compact') },
  {
    name: 'dashboard-nothing-found',
    show: at('/?search=no+such+text', (page) => page.getByText('No interviews found')),
  },
  { name: 'funnel-picker', show: picker('Funnels: All Funnels', 'Search funnels...') },
  { name: 'client-picker', show: picker(/^Clients: /, 'Search clients...') },
  { name: 'status-picker', show: dashboard((page) => page.getByLabel('Status').click()) },
  { name: 'date-range', show: dashboard((page) => button(page, 'Any date range').click()) },
  { name: 'actions', show: dashboard((page) => button(page, /^Actions for/).click()) },
  {
    name: 'shortcuts',
    show: dashboard(async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    }),
  },
  {
    name: 'refresh-options',
    show: dashboard(async (page) => {
      await page.getByRole('button', { name: 'Refresh', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    }),
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
  { name: 'dashboard-end', show: dashboard((page) => page.getByRole('contentinfo').scrollIntoViewIfNeeded()) },
  ...withoutData({ name: 'dashboard', path: '/', read: LIST, loading: 'Loading interviews...' }),
  {
    name: 'dashboard-loading-compact',
    show: prepared(
      (page) => hang(page, LIST),
      at('/?layout=compact', (page) => page.getByText('Loading interviews...')),
    ),
  },
  {
    name: 'dashboard-offline',
    show: dashboard(async (page) => {
      await page.route('**/api/**', (route) => route.abort());
      await button(page, 'Convert to YouTube').click();
      await page.getByRole('listitem').filter({ hasText: 'Network error' }).first().waitFor();
    }),
  },
  { name: 'dashboard-filtered', show: dashboard(undefined, '?status=new&from=2026-01-01&to=2026-11-30&unwatched=1') },
  {
    name: 'dashboard-second-page',
    show: dashboard((page) => page.getByRole('contentinfo').scrollIntoViewIfNeeded(), '?page=2'),
  },
  { name: 'card-states', show: prepared(rareCards, dashboard()) },
  { name: 'card-states-compact', show: prepared(rareCards, dashboard(undefined, '?layout=compact')) },
  { name: 'first-run', show: emptyDashboard(NOT_SET_UP) },
  {
    name: 'uploads-active',
    show: prepared(
      (page) =>
        change<Funnel | null>(page, '/api/funnels/active', (funnel) =>
          Object.assign(funnel ?? {}, { source: 'upload' }),
        ),
      dashboard((page) => button(page, 'Upload recordings').waitFor()),
    ),
  },
  {
    name: 'date-range-last-7-days',
    show: dashboard(async (page) => {
      await button(page, 'Any date range').click();
      await button(page, 'Last 7 days').click();
      // The button shows the chosen days.
      await button(page, /\d{4} - /).click();
      await page.getByRole('grid').first().waitFor();
    }),
  },
  {
    name: 'refresh-finished',
    show: async (page, stage) => {
      await dashboard()(page, stage);
      await stage.refresh();
      await page.getByText('Refresh Completed').first().waitFor();
    },
  },
  {
    name: 'refresh-canceled',
    show: async (page, stage) => {
      await dashboard()(page, stage);
      await stage.canceledRefresh();
      await page.getByText('Refresh Completed').first().waitFor();
    },
  },
  {
    name: 'refresh-error-details',
    show: async (page, stage) => {
      await stage.failedRefresh();
      await dashboard()(page, stage);
      await button(page, /^Refresh Error/).click();
    },
  },
  {
    name: 'new-version',
    show: async (page, stage) => {
      let cuts = true;
      // This route stays for the later scenes of the page.
      await page.routeWebSocket(/\/ws/, (socket) => {
        const server = socket.connectToServer();
        if (cuts) setTimeout(() => void socket.close().then(() => server.close()), 500);
      });
      await dashboard()(page, stage);
      await page.route(`${stage.address}/`, (route) => route.fulfill({ body: '/assets/index-other.js' }));
      await page.getByText('A new version is available.').waitFor();
      cuts = false;
    },
  },
  {
    name: 'part-not-loaded',
    show: async (page, stage) => {
      await page.route('**/assets/shortcuts-dialog*', (route) => route.abort());
      await dashboard()(page, stage);
      await page.keyboard.press('?');
      await page.getByText("Couldn't load this").waitFor();
    },
  },
  { name: 'not-found', show: at('/no/such/page', (page) => page.getByText('Page Not Found')) },
];
