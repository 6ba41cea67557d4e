import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { Logs } from '#server/features/logs/logs.service.ts';
import { openLiveBus } from '#server/live/bus.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { Outages } from './outages.ts';

const log = pino({ level: 'silent' });

/** Outages over a product's database and a separate file store, and a reader of its System Logs. */
async function startOutages() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const bus = openLiveBus(product.database.url, log);
  const directory = join(product.dataDir, 'other-files');
  const logs = new Logs(product.db, 365);
  const outages = new Outages({
    db: product.db,
    bus,
    logs,
    log,
    files: localFileStore(directory),
    checkIntervalMs: 50,
  });
  await bus.opened;
  onTestFinished(async () => {
    outages.close();
    await bus.close();
  });
  const findEntry = (type: 'error' | 'system', summary: RegExp) =>
    until(`an entry matches ${summary}`, async () => {
      const entries = await recruiter.call(listLogs, { query: { type, limit: 100 } });
      return entries.logs.find((entry) => summary.test(entry.summary)) ?? null;
    });
  return { product, directory, outages, findEntry };
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
  await until('the store is there', () =>
    rm(directory, { recursive: true }).then(
      () => true,
      () => false,
    ),
  );
  await writeFile(directory, 'in the way');
  await findEntry('error', /^Videos and thumbnails cannot be stored\. .*other-files/);
  await rm(directory);
  await findEntry('system', /^Videos and thumbnails can be stored again, after/);
});
