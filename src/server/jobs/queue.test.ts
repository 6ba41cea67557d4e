import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { connect } from '#server/db/database.ts';
import { openLiveBus } from '#server/live/bus.ts';
import type { Log } from '#server/ports/log.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { defineJob } from './job.ts';
import { openQueue } from './queue.ts';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

test('a job that is being claimed while the process stops is free for the next process', async () => {
  const database = await createTestDatabase();
  const connection = connect(database.applicationUrl, 4, () => {});
  const bus = openLiveBus(database.applicationUrl, silent);
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
  const queue = openQueue(connection, silent);
  await Promise.all([bus.opened, queue.opened, owner.connect()]);
  await queue.prepare([job]);
  await queue.start([job], { bus, hasExclusiveDatabase: false });

  // The lock holds the claim up until the queue is stopping.
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE pgboss.job IN EXCLUSIVE MODE');
  await owner.query("INSERT INTO pgboss.job (name, data, retry_limit) VALUES ('test', '{}', 1)");
  await until('the worker is claiming', async () => {
    const { rows } = await owner.query(
      'SELECT FROM pg_locks JOIN pg_database ON oid = database WHERE NOT granted AND datname = current_database()',
    );
    return rows.length > 0;
  });
  const stopped = queue.stop(10_000).then(() => connection.close());
  // Without waiting for the claim, the queue and its connections are closed by now.
  await owner.query('SELECT pg_sleep(0.1)');
  await owner.query('COMMIT');
  await stopped;

  const { rows } = await owner.query("SELECT state FROM pgboss.job WHERE name = 'test'");
  // It is 'created' when maintenance of pg-boss waited for the lock instead of the claim.
  expect(['created', 'retry']).toContain(rows[0].state);
});
