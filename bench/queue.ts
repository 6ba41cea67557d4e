import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { type Connection, connect } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { defineJob } from '#server/jobs/job.ts';
import { type JobQueue, openQueue } from '#server/jobs/queue.ts';
import { type LiveBus, openLiveBus } from '#server/live/bus.ts';
import { setUpDatabase } from '#server/set-up-database.ts';
import { type BenchRow, benchRow, median, printRows } from './row.ts';
import { sized } from './scale.ts';

const ROUNDS = sized(7, 1);
const JOBS = 20;
const JOB_MS = 100;
const CONCURRENCY = 2;
const NAME = { name: 'bench.sleep', payload: z.object({ n: z.int() }) };

/**
 * Twenty jobs of 100 ms, two at a time, from the commit that enqueues them to the end of the last
 * one, compared with the ideal second.
 */
export async function run(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-queue-'));
  const log = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    const connection = connect(postgres.applicationUrl, 12, () => {});
    await setUpDatabase(postgres.ownerUrl, connection.pool);
    const bus = openLiveBus(postgres.applicationUrl, log);
    const queue = openQueue(connection, log);
    await Promise.all([bus.opened, queue.opened]);
    try {
      return await measure(connection, bus, queue);
    } finally {
      await queue.stop(1_000);
      await bus.close();
      await connection.close();
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(connection: Connection, bus: LiveBus, queue: JobQueue): Promise<BenchRow[]> {
  let left = 0;
  let allDone = () => {};
  const job = defineJob({
    ...NAME,
    retries: 0,
    concurrency: CONCURRENCY,
    async run() {
      await sleep(JOB_MS);
      left -= 1;
      if (left === 0) allDone();
    },
  });
  await queue.prepare([job]);
  await queue.start([job], { bus, hasExclusiveDatabase: true });

  const seconds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    left = JOBS;
    const finished = new Promise<void>((resolve) => {
      allDone = resolve;
    });
    await connection.db.transaction().execute(async (tx) => {
      for (let n = 0; n < JOBS; n += 1) await queue.enqueue(tx, NAME, { n });
    });
    const committedAt = performance.now();
    await finished;
    seconds.push((performance.now() - committedAt) / 1_000);
  }
  const ideal = (JOBS * JOB_MS) / CONCURRENCY / 1_000;
  const name = `${JOBS} jobs of ${JOB_MS} ms, ${CONCURRENCY} at a time`;
  return [benchRow({ name, ours: median(seconds), baseline: ideal, unit: 's', aim: { atMost: 1.25 } })];
}

if (import.meta.main) printRows(await run());
