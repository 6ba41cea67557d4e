import { describe, expect, test } from 'vitest';
import type { HandlerInput } from '#contracts/endpoint.ts';
import { getLog, listLogs, VIEW_ACTIONS } from '#contracts/logs.ts';
import { type Person, refusal } from '#support/call.ts';
import { signedInAs } from '#support/people.ts';
import { startApp } from '#support/start-app.ts';
import { Logs } from './logs.service.ts';
import { writeEntry } from './write-entry.ts';

const DAY = 86_400_000;
const LARGE = { type: 'system', action: 'start', status: 'info', summary: 'Large' } as const;

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

type LogsQuery = Partial<HandlerInput<typeof listLogs>['query']>;

const RANGE = { startDate: '2026-03-02T00:00:00Z', endDate: '2026-03-20T08:00:00Z' };
const QUERIES: LogsQuery[] = [
  {},
  { views: 'true' },
  { type: 'auth' },
  { type: 'system', views: 'true' },
  { type: 'refresh' },
  RANGE,
  { ...RANGE, views: 'true', type: 'system' },
  { startDate: '2026-03-02T12:00:00Z' },
  { endDate: '2026-03-02T12:00:00Z', views: 'true' },
  { startDate: '2026-03-02T06:00:00Z', endDate: '2026-03-02T18:00:00Z' },
  // More and less than half of the first and last day.
  { startDate: '2026-03-02T06:00:00Z', endDate: '2026-03-20T20:00:00Z' },
  { startDate: '2026-03-02T20:00:00Z', endDate: '2026-03-20T06:00:00Z', type: 'system', views: 'true' },
  { startDate: '2026-03-02T00:00:00Z', endDate: '2026-03-19T23:59:59.999Z' },
  { startDate: RANGE.endDate, endDate: RANGE.startDate },
];

/** Compares every page with a filter of all entries. */
async function expectExact(recruiter: Person, query: LogsQuery) {
  const { logs: all } = await recruiter.call(listLogs, { query: { limit: 100, views: 'true' } });
  const { type, startDate = '', endDate = '9999', views } = query;
  const [from, to] = [startDate, endDate].map((moment) => Date.parse(moment));
  const expected = all.filter(
    ({ createdAt, ...entry }) =>
      (type === undefined || entry.type === type) &&
      (views === 'true' || !VIEW_ACTIONS.includes(entry.action)) &&
      !(Date.parse(createdAt) < (from as number)) &&
      !(Date.parse(createdAt) > (to as number)),
  );
  const paged = [];
  for (let page = 1; page <= Math.ceil(expected.length / 7) + 1; page += 1) {
    const { logs, total } = await recruiter.call(listLogs, { query: { ...query, page, limit: 7 } });
    expect([query, page, total]).toEqual([query, page, expected.length]);
    paged.push(...logs);
  }
  expect(paged.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
}

describe('system logs', () => {
  test('system logs are listed newest first, ten a page, with the total', async () => {
    const { recruiter } = await withEntries();
    const { logs, total } = await recruiter.call(listLogs, { query: { page: 3 } });
    expect([logs.map(({ action }) => action), total]).toEqual([
      ['action-4', 'action-3', 'action-2', 'action-1', 'action-0'],
      25,
    ]);
  });

  test('system logs are filtered by type and by date, both ends included', async () => {
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
    await writeEntry(product.db, {
      type: 'system',
      action: 'start',
      status: 'info',
      summary: 'The server was started.',
    });
    const [written] = (await recruiter.call(listLogs, { query: { type: 'system' } })).logs;
    const range = { startDate: written?.createdAt, endDate: written?.createdAt };
    expect((await recruiter.call(listLogs, { query: range })).logs).toEqual([written]);
  });

  test('keep 200 characters of a value, and count what an entry of 256 KB leaves out', async () => {
    const { product, recruiter } = await withEntries();
    const value = `${'x'.repeat(199)}😀${'y'.repeat(1_000)}`;
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`field${n}`, { oldValue: value }]));
    const ids = Array.from({ length: 500 }, (_, n) => `iv-${n}`);
    const details = {
      funnelName: 'Nursing',
      skippedInterviews: [{ interviewId: 'iv-x', title: 'One', reason: value }],
      detailedChanges: Object.fromEntries(ids.map((id) => [id, { title: 'Changed', fields }])),
    };
    const metadata = { count: 500, detailedSummary: { updatedInterviewIds: ids } };
    await writeEntry(product.db, { ...LARGE, details, metadata });

    const [listed] = (await recruiter.call(listLogs, { query: { type: 'system' } })).logs;
    expect(listed).toMatchObject({ details: null, metadata: null, isShortened: true });
    const entry = await recruiter.call(getLog, { params: { id: listed?.id ?? 0 } });
    const size = Buffer.byteLength(JSON.stringify([entry.details, entry.metadata]));
    expect(size).toBeLessThan(256 * 1_024);
    expect(size).toBeGreaterThan(200 * 1_024);
    const cut = `${'x'.repeat(199)}…`;
    const { skippedInterviews, detailedChanges, leftOut } = entry.details as unknown as typeof details & {
      leftOut: object;
    };
    expect(skippedInterviews).toEqual([{ interviewId: 'iv-x', title: 'One', reason: cut }]);
    expect(detailedChanges['iv-0']).toEqual({
      title: 'Changed',
      fields: Object.fromEntries(Object.keys(fields).map((name) => [name, { oldValue: cut }])),
    });
    expect(leftOut).toEqual({ detailedChanges: 500 - Object.keys(detailedChanges).length });
    expect(entry).toMatchObject({ metadata, isShortened: false });
  });

  test('system logs have a bounded size in a response, also a page of the largest entries of an earlier release', async () => {
    const { product, recruiter } = await withEntries();
    const list = Array.from({ length: 30_000 }, (_, n) => `item ${n}`);
    const large = { ...LARGE, details: JSON.stringify({ list }) };
    await product.db.insertInto('log_entry').values(Array(100).fill(large)).execute();
    const response = await recruiter.request({ method: 'GET', url: '/api/logs?limit=100' });
    expect([response.statusCode, response.json().logs.length]).toEqual([200, 100]);
    expect(response.body.length).toBeLessThan(100_000);
    const [newest] = response.json().logs;
    const { details } = await recruiter.call(getLog, { params: { id: newest.id } });
    expect(details).toEqual({ list });
  });

  test('a log entry that no longer exists is a 404', async () => {
    const { recruiter } = await withEntries();
    const { status, body } = await refusal(recruiter.call(getLog, { params: { id: 4_711 } }));
    expect([status, body.message]).toEqual([404, 'This log entry no longer exists.']);
  });

  test('system logs are kept for the days of LOG_RETENTION_DAYS', async () => {
    const { product, recruiter } = await withEntries();
    const days = Math.ceil((Date.now() - Date.UTC(2026, 2, 11)) / DAY);
    await new Logs(product.db, days).deleteExpired();
    expect((await recruiter.call(listLogs, { query: {} })).total).toBe(15);
  });

  test('a page far behind the last entry is empty', async () => {
    const { recruiter } = await withEntries();
    const last = { page: 100_000_000, limit: 100 };
    expect(await recruiter.call(listLogs, { query: last })).toMatchObject({ logs: [], total: 25 });
  });

  test('every page and total is exact, even after old entries were deleted by several workers at once', async () => {
    const { product, recruiter } = await withEntries();
    const colleague = await signedInAs(product, { role: 'recruiter' });
    const moments = [
      '2026-03-01T23:59:59.999Z',
      '2026-03-02T00:00:00Z',
      '2026-03-02T12:00:00Z',
      '2026-03-20T08:00:00Z',
    ];
    const actions = ['start', ...VIEW_ACTIONS];
    const entries = moments.flatMap((moment, nth) =>
      actions.map((action) => ({
        type: nth % 2 === 0 ? 'system' : 'auth',
        action,
        status: 'info',
        summary: `${action} ${nth}`,
        created_at: new Date(moment),
        funnel_id: nth < 3 ? nth : null,
      })),
    );
    const write = () => product.db.insertInto('log_entry').values(entries).execute();
    await write();
    for (const person of [recruiter, colleague]) for (const query of QUERIES) await expectExact(person, query);
    const days = Math.ceil((Date.now() - Date.UTC(2026, 2, 2, 6)) / DAY);
    const logs = new Logs(product.db, days);
    await Promise.all([logs.deleteExpired(), write(), logs.deleteExpired(), write(), logs.deleteExpired()]);
    await logs.deleteExpired();
    for (const person of [recruiter, colleague]) for (const query of QUERIES) await expectExact(person, query);
    const counts = await product.db.selectFrom('log_count').select(['day', 'type', 'action']).execute();
    const totals = await product.db.selectFrom('log_total').select(['type', 'action', 'has_funnel']).execute();
    for (const keys of [counts, totals]) expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  });
});
