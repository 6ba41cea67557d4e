import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { listenLive } from '#server/live/bus.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { openLogs } from '../logs/logs.service.ts';
import { Outages } from './operations.service.ts';

const log = pino({ level: 'silent' });

/** A watch over a product's database and a file store, and what staff read in their log of it. */
async function watched() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const bus = listenLive(product.database.url, log);
  const directory = join(product.dataDir, 'other-files');
  const logs = openLogs(product.db, 365);
  const outages = new Outages({ db: product.db, bus, logs, log, files: localFileStore(directory), lookMs: 50 });
  await bus.opened;
  onTestFinished(async () => {
    outages.close();
    await bus.close();
  });
  const isTold = (type: 'error' | 'system', words: RegExp) =>
    until(`staff read ${words}`, async () => {
      const entries = await recruiter.call(listLogs, { query: { type, limit: 100 } });
      return entries.logs.find(({ summary }) => words.test(summary)) ?? null;
    });
  return { product, directory, outages, isTold };
}

test('a database that was away is told to the staff as soon as it is back', async () => {
  const { product, isTold } = await watched();
  const before = Date.now();
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'interviews live' AND datname = current_database()`.execute(product.db);
  const { metadata } = await isTold(
    'error',
    /^The database could not be reached for \d+ seconds?\..*goes on by itself/,
  );
  expect(Date.parse(String(metadata?.since))).toBeGreaterThanOrEqual(before);
});

test('a database whose disk was full is told as soon as it can write again', async () => {
  const { outages, isTold } = await watched();
  outages.noticed(Object.assign(new Error('could not extend file'), { code: '53100' }));
  await isTold('error', /^The database could not store anything for \d+ seconds?: its disk was full\.$/);
});

test.each(['25006', '58030'])(
  'a database that could not write for another reason (%s) is not said to have been full',
  async (code) => {
    const { outages, isTold } = await watched();
    outages.noticed(Object.assign(new Error('cannot write'), { code }));
    await isTold(
      'error',
      /^The database could not store anything for \d+ seconds?: it was read-only, or its disk failed\.$/,
    );
  },
);

test('a file store that cannot be written is told at once, and again when it can', async () => {
  const { directory, isTold } = await watched();
  await until('the store is there', () =>
    rm(directory, { recursive: true }).then(
      () => true,
      () => false,
    ),
  );
  await writeFile(directory, 'in the way');
  await isTold('error', /^Videos and thumbnails cannot be stored\. .*other-files/);
  await rm(directory);
  await isTold('system', /^Videos and thumbnails can be stored again, after/);
});
