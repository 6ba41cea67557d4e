import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { createEvents } from '#server/compose-events.ts';
import { LiveWorkers } from '#server/jobs/live-workers.ts';
import { LiveBus } from '#server/live/bus.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { Outages } from './outages.ts';

const log = pino({ level: 'silent' });

/** Outages of a process over a product's database and a separate file store. */
async function watchOutages(product: TestApp) {
  const bus = new LiveBus(product.database.url, log);
  const directory = join(product.dataDir, 'other-files');
  const pace = { beatMs: 50, readMs: 50, missingAfterMs: 300 };
  const workers = new LiveWorkers({ db: product.db, log, pace });
  const files = localFileStore(directory);
  const deps = { db: product.db, bus, workers, events: createEvents(), log, files };
  const outages = new Outages(deps);
  const checks = setInterval(() => void outages.check(), 50);
  await bus.opened;
  onTestFinished(async () => {
    clearInterval(checks);
    outages.close();
    await workers.close();
    await bus.close();
  });
  await until('the process notices that no worker runs', async () => workers.isMissing());
  await outages.check();
  return { directory, outages };
}

/** `watchOutages`, and a reader of the System Logs. */
async function startOutages() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const watched = await watchOutages(product);
  const findEntry = (type: 'error' | 'system', summary: RegExp) =>
    until(`an entry matches ${summary}`, async () => {
      const entries = await recruiter.call(listLogs, { query: { type, limit: 100 } });
      return entries.logs.find((entry) => summary.test(entry.summary)) ?? null;
    });
  return { product, ...watched, findEntry };
}

/** Repeats what fails because a process checks the folder at the same time. */
const replaceByFile = (directory: string) =>
  until('a file is in the way', () =>
    rm(directory, { recursive: true, force: true })
      .then(() => writeFile(directory, 'in the way'))
      .then(
        () => true,
        () => false,
      ),
  );

async function countEntries({ db }: TestApp, action: string): Promise<number> {
  const rows = await db.selectFrom('log_entry').select('id').where('action', '=', action).execute();
  return rows.length;
}

test('an outage of the database is logged once the database is back', async () => {
  const { product, findEntry } = await startOutages();
  const before = Date.now();
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'interviews live' AND datname = current_database()`.execute(product.db);
  const { metadata } = await findEntry(
    'error',
    /^The database was unreachable for \d+ seconds?\. Requests failed; background work has resumed\.$/,
  );
  expect(Date.parse(String(metadata?.since))).toBeGreaterThanOrEqual(before);
});

test('a full database disk is logged once the database can write again', async () => {
  const { outages, findEntry } = await startOutages();
  outages.noteError(Object.assign(new Error('could not extend file'), { code: '53100' }));
  await findEntry('error', /^The database could not save anything for \d+ seconds?: its disk was full\.$/);
});

test.each(['25006', '58030'])(
  'another write failure of the database (%s) is not logged as a full disk',
  async (code) => {
    const { outages, findEntry } = await startOutages();
    outages.noteError(Object.assign(new Error('cannot write'), { code }));
    await findEntry(
      'error',
      /^The database could not save anything for \d+ seconds?: it was read-only, or its disk failed\.$/,
    );
  },
);

test('a file store that cannot be written is logged at once, and again when it recovers', async () => {
  const { directory, findEntry } = await startOutages();
  await until('the store is there', () => existsSync(directory));
  await replaceByFile(directory);
  await findEntry('error', /^Videos and thumbnails cannot be stored\. .*other-files/);
  await rm(directory);
  await findEntry('system', /^Videos and thumbnails can be stored again, after/);
});

test('a missing worker is logged once by all processes', async () => {
  const { product, findEntry } = await startOutages();
  await findEntry('error', /^No worker process has been running for \d+ seconds?\. .*\(ROLES\)\.$/);
  await watchOutages(product);
  expect(await countEntries(product, 'no-worker')).toBe(1);
});

test('an outage that two processes notice is one entry, which names the machine if its disk is the reason', async () => {
  const { product, directory, findEntry } = await startOutages();
  const { outages } = await watchOutages(product);
  await replaceByFile(directory);
  await findEntry('error', /^Videos and thumbnails cannot be stored\./);
  await outages.check();
  await outages.check();
  expect(await countEntries(product, 'file-store-outage')).toBe(1);
  const outage = {
    kind: 'file-store',
    since: new Date().toISOString(),
    seconds: 1,
    reason: 'The disk is full.',
  } as const;
  for (const machine of ['web-1', 'web-1', 'web-2'])
    await product.db
      .transaction()
      .execute((tx) => createEvents().record(tx, 'outage.observed', { ...outage, machine }));
  expect(await countEntries(product, 'file-store-outage')).toBe(3);
  await findEntry('error', /The disk is full\. The machine is web-2\.$/);
});
