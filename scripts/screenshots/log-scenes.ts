import type { Page } from '@playwright/test';
import { answer, at, button, prepared, type Scene, withoutData } from './scene.ts';

const LOGS = '/api/logs?*';

const logs = (act?: (page: Page) => Promise<unknown>, query = '') =>
  at(`/system-logs${query}`, (page) => page.getByRole('row').nth(1), act);

/** The details of the first entry with this text. */
const details = (text: RegExp, query: string) =>
  logs(async (page) => {
    await page.getByRole('row', { name: text }).first().getByRole('button').first().click();
    await page.getByRole('dialog').waitFor();
  }, query);

export const LOG_SCENES: readonly Scene[] = [
  { name: 'logs', show: logs() },
  { name: 'logs-errors', show: logs(undefined, '?type=error') },
  { name: 'logs-auth', show: logs(undefined, '?type=auth') },
  { name: 'logs-date-range', show: logs((page) => button(page, 'Select Range').click()) },
  {
    name: 'logs-empty',
    show: prepared(
      (page) => answer(page, LOGS, 200, { logs: [], total: 0 }),
      at('/system-logs?type=error', (page) => page.getByText('No logs found')),
    ),
  },
  ...withoutData({ name: 'logs', path: '/system-logs', read: LOGS, loading: 'Loading logs...' }),
  {
    name: 'logs-banner',
    show: async (page, stage) => {
      await logs((shown) => shown.getByText('Real-time updates').waitFor())(page, stage);
      await stage.log();
      await page.getByRole('status').filter({ hasText: 'activate-funnel' }).waitFor();
    },
  },
  { name: 'log-refresh', show: details(/sync-interviews/, '?type=refresh') },
  {
    name: 'log-refresh-end',
    show: async (page, stage) => {
      await details(/sync-interviews/, '?type=refresh')(page, stage);
      await page.getByRole('region', { name: 'Raw Metadata' }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'log-failed-step', show: details(/convert-interview/, '?type=error') },
  { name: 'log-sign-in', show: details(/sign-in/, '?type=auth') },
];
