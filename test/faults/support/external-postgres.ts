import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { onTestEnd } from './stage.ts';

/** A PostgreSQL server outside the product, which a scenario can stop and start. */
export interface ExternalPostgres {
  url: string;
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

export async function externalPostgres(): Promise<ExternalPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interviews-external-'));
  const start = () => startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  let running: EmbeddedPostgres | null = await start();
  const { connectionString: url } = running;
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  onTestEnd(() => rm(dataDir, { recursive: true, force: true }));
  onTestEnd(stop);
  return {
    url,
    stop,
    async start() {
      running = await start();
      if (running.connectionString !== url) throw new Error('Another program took the port of the stopped server.');
    },
  };
}
