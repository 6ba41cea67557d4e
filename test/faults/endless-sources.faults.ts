import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { activateFunnel, createFunnel, type FunnelForm } from '#contracts/funnels.ts';
import { startSync } from '#contracts/sync.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { onTestEnd, setStage } from './support/stage.ts';

type Source = 'rest' | 'hireflix' | 'videoask';

const MAX_MEMORY_MB = 300;
/** The 99th percentile, because a busy machine can delay single responses. */
const MAX_LATENCY_MS = 200;

const FORMS: Record<Source, (sandbox: Sandbox) => Partial<FunnelForm>> = {
  rest: ({ funnels }) => ({ ...funnels[0] }),
  hireflix: ({ hireflix }) => ({ apiKey: hireflix.apiKey, funnelId: hireflix.positionId }),
  videoask: ({ videoask }) => ({ apiKey: videoask.organization, funnelId: videoask.formId }),
};

interface Watched {
  memoryMb: number;
  /** How long `/livez` took, in milliseconds, sorted. */
  latencies: number[];
}

/** Watches in a thread, because the sandbox blocks this one while it makes a page. */
async function watchWhile(work: () => Promise<unknown>, { pid, origin }: ProductProcess): Promise<Watched> {
  const worker = new Worker(new URL('./support/watch-process.worker.ts', import.meta.url), {
    workerData: { pid, origin },
  });
  onTestEnd(() => worker.terminate());
  const watched = once(worker, 'message');
  await work();
  worker.postMessage('stop');
  return (await watched)[0];
}

test.each<[Source, string, FaultInput]>([
  ['rest', 'lists', { kind: 'endless', on: 'interviews', total: 1_000, textBytes: 50_000 }],
  ['hireflix', 'lists', { kind: 'endless', on: 'hireflix', total: 1_000, textBytes: 50_000 }],
  ['videoask', 'lists', { kind: 'endless', on: 'videoask', total: 100, path: '*/contacts' }],
  ['videoask', 'answers of 60 kB', { kind: 'endless', on: 'videoask', textBytes: 60_000, path: '*/answers' }],
  ['videoask', 'short answers', { kind: 'endless', on: 'videoask', textBytes: 5, path: '*/answers' }],
])(
  'memory and response times stay small while %s sends %s without an end',
  async (source, _, fault) => {
    const database = await createTestDatabase();
    onTestEnd(database.drop);
    const { sandbox, start, ask } = await setStage({ DATABASE_URL: database.url });
    const product = await start();
    const form = { name: source, source, ...FORMS[source](sandbox) } as FunnelForm;
    const { id } = await product.call(createFunnel, { body: form });
    await product.call(activateFunnel, { params: { id } });
    sandbox.control.fail(fault);
    // Reads the database, because the product refuses calls while a busy machine delays it.
    const ended = async () => {
      const [run] = await ask<{ error: string | null }>('SELECT error FROM sync_run WHERE finished_at IS NOT NULL');
      return run ?? null;
    };
    let error: string | null = null;
    const { memoryMb, latencies } = await watchWhile(async () => {
      await product.call(startSync, { query: { timeframe: 'all' } });
      error = (await until('the refresh ends', ended, 280_000)).error;
    }, product);
    expect(error).toContain('What was synced was saved.');
    expect(memoryMb).toBeLessThan(MAX_MEMORY_MB);
    expect(latencies[Math.floor(latencies.length * 0.99)]).toBeLessThan(MAX_LATENCY_MS);
  },
  300_000,
);
