import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { connect } from '#server/db/database.ts';
import { LiveBus } from '#server/live/bus.ts';
import type { Log } from '#server/ports/log.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { defineJob } from './job.ts';
import { JobQueue } from './queue.ts';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };
/** Finds a claim of pg-boss that waits for a lock. The claim names the claimed jobs `next`. */
const WAITING_CLAIM = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%next AS (%'`;

test('a job that is being claimed while the process stops is free for the next process', async () => {
  const database = await createTestDatabase();
  const connection = connect(database.applicationUrl, 4, () => {});
  const bus = new LiveBus(database.applicationUrl, silent);
  const owner = new pg.Client({ connectionString: database.url });
  onTestFinished(async () => {
    await owner.end();
    await bus.close();
    await database.drop();
  });
  const job = defineJob({
    name: 'test',
    payload: z.object({}),
    retries: 1,
    concurrency: 1,
    run: async (_, { signal }) => signal.throwIfAborted(),
  });
  // Maintenance of pg-boss would wait for the same lock.
  const queue = new JobQueue(connection, silent, { supervise: false });
  await Promise.all([bus.opened, queue.opened, owner.connect()]);
  await queue.prepare([job]);

  // The lock delays the first claim until the queue is stopping.
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE pgboss.job IN EXCLUSIVE MODE');
  await owner.query("INSERT INTO pgboss.job (name, data, retry_limit) VALUES ('test', '{}', 1)");
  await queue.start([job], { bus, hasExclusiveDatabase: false });
  const findWaitingClaim = async () => (await connection.pool.query(WAITING_CLAIM)).rows[0];
  await until('the claim waits for the lock', findWaitingClaim);
  const stopped = queue.stop(10_000).then(() => connection.close());
  // A queue that does not wait for the claim closes its connections within this time.
  await owner.query('SELECT pg_sleep(0.1)');
  await owner.query('COMMIT');
  await stopped;

  const { rows } = await owner.query("SELECT state FROM pgboss.job WHERE name = 'test'");
  expect(rows).toEqual([{ state: 'retry' }]);
});
