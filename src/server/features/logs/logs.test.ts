import { describe, expect, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { startApp } from '#support/start-app.ts';
import { Logs } from './logs.service.ts';

const DAY = 86_400_000;

async function withEntries() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  await product.db.deleteFrom('log_entry').execute();
  const entries = Array.from({ length: 25 }, (_, index) => ({
    type: index % 5 === 0 ? 'error' : 'refresh',
    action: `action-${index}`,
    status: index % 5 === 0 ? 'error' : 'success',
    summary: `Entry ${index}`,
    created_at: new Date(Date.UTC(2026, 2, 1) + index * DAY),
  }));
  await product.db.insertInto('log_entry').values(entries).execute();
  return { product, recruiter };
}

describe('system logs', () => {
  test('are listed newest first, ten a page, with the total', async () => {
    const { recruiter } = await withEntries();
    const { logs, total } = await recruiter.call(listLogs, { query: { page: 3 } });
    expect([logs.map(({ action }) => action), total]).toEqual([
      ['action-4', 'action-3', 'action-2', 'action-1', 'action-0'],
      25,
    ]);
  });

  test('are filtered by type and by date, both ends included', async () => {
    const { recruiter } = await withEntries();
    expect((await recruiter.call(listLogs, { query: { type: 'error' } })).total).toBe(5);
    const range = { startDate: '2026-03-02T00:00:00Z', endDate: '2026-03-04T00:00:00Z' };
    expect((await recruiter.call(listLogs, { query: range })).logs.map(({ action }) => action)).toEqual([
      'action-3',
      'action-2',
      'action-1',
    ]);
  });

  test('an entry is in the range that ends at its own time', async () => {
    const { product, recruiter } = await withEntries();
    await new Logs(product.db, 365).write(product.db, {
      type: 'system',
      action: 'start',
      status: 'info',
      summary: 'The server was started.',
    });
    const [written] = (await recruiter.call(listLogs, { query: { type: 'system' } })).logs;
    const range = { startDate: written?.createdAt, endDate: written?.createdAt };
    expect((await recruiter.call(listLogs, { query: range })).logs).toEqual([written]);
  });

  test('are kept for the days of LOG_RETENTION_DAYS', async () => {
    const { product, recruiter } = await withEntries();
    const days = Math.ceil((Date.now() - Date.UTC(2026, 2, 11)) / DAY);
    await new Logs(product.db, days).deleteExpired();
    expect((await recruiter.call(listLogs, { query: {} })).total).toBe(15);
  });
});
