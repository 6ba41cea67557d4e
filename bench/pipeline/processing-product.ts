import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { RefreshStatus } from '#contracts/sync.ts';
import { type BenchProduct, startProduct } from '../product.ts';
import type { Services } from '../publish/services.ts';
import type { FunnelAccess } from '../refresh/sandbox-process.ts';

/** The end is polled in the database, which costs the product nothing. */
const POLL_INTERVAL_MS = 20;

type Step = 'transcribe' | 'summarize';

/** A product with every service connected and with refreshed interviews and their videos. */
export interface ProcessingProduct {
  pid: number;
  ids: string[];
  /** Starts a step for all these interviews. Returns the milliseconds until all are done. */
  runStep(step: Step, ids: readonly string[]): Promise<number>;
  /** Replaces the video of an interview. */
  replaceVideo(id: string, path: string): Promise<void>;
  /** Resets the interviews to the state before their first step. */
  resetSteps(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProcessingProduct(services: Services, funnel: FunnelAccess): Promise<ProcessingProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-pipeline-'));
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  const product = await startProduct({ dataDir, env: services.variables }).catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  const database = new pg.Client({ connectionString: product.databaseUrl });
  const stop = async () => {
    await database.end();
    await product.stop();
    await removeData();
  };
  try {
    await database.connect();
    await refresh(product, funnel);
    const { rows } = await database.query<{ id: string }>('SELECT id FROM interview WHERE video_file IS NOT NULL');
    return {
      pid: product.pid,
      ids: rows.map(({ id }) => id).toSorted(),
      runStep: (step, ids) => runStep({ product, database }, step, ids),
      async replaceVideo(id, path) {
        const name = `${id}-replaced.${path.split('.').at(-1)}`;
        await copyFile(path, join(dataDir, 'files', 'videos', name));
        await database.query('UPDATE interview SET video_file = $2 WHERE id = $1', [id, name]);
      },
      async resetSteps() {
        await database.query('DELETE FROM interview_text');
        await database.query(NOTHING_STARTED);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const NOTHING_STARTED = `UPDATE interview
  SET transcription_status = NULL, transcription_at = NULL, summary_status = NULL, summary_at = NULL`;

async function refresh(product: BenchProduct, { name, funnelId, apiKey }: FunnelAccess): Promise<void> {
  const { id } = await product.call<{ id: number }>('POST', '/api/funnels', { name, funnelId, apiKey });
  await product.call('POST', `/api/funnels/${id}/activate`);
  await product.call('GET', '/api/interviews/sync?timeframe=all');
  for (;;) {
    const status = await product.call<RefreshStatus>('GET', '/api/interviews/sync/status');
    if (status.error) throw new Error(`The refresh failed: ${status.error}`);
    if (!status.inProgress) return;
    await sleep(POLL_INTERVAL_MS);
  }
}

interface RunStepDeps {
  product: BenchProduct;
  database: pg.Client;
}

/** @throws Error as soon as a step fails or waits for a retry */
async function runStep({ product, database }: RunStepDeps, step: Step, ids: readonly string[]): Promise<number> {
  const start = performance.now();
  await Promise.all(ids.map((id) => product.call('POST', `/api/interviews/${encodeURIComponent(id)}/${step}`)));
  for (;;) {
    const { rows } = await database.query<{ done: number; problem: string | null }>(PROGRESS[step], [ids]);
    if (rows[0]?.problem) throw new Error(`A step failed: ${rows[0].problem}`);
    if (rows[0]?.done === ids.length) return performance.now() - start;
    await sleep(POLL_INTERVAL_MS);
  }
}

const progress = (column: string) => `SELECT count(*) FILTER (WHERE ${column} = 'completed')::int AS done,
  max(coalesce(transcription_error, transcription_note, summary_error, summary_note)) AS problem
  FROM interview WHERE id = ANY($1)`;
const PROGRESS = { transcribe: progress('transcription_status'), summarize: progress('summary_status') };
