import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { undone } from './stage.ts';

/** A PostgreSQL server that the product only knows by its address, and that an administrator stops and starts. */
export interface ExternalPostgres {
  url: string;
  stop(): Promise<void>;
  /** On the same address again. */
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
  undone(() => rm(dataDir, { recursive: true, force: true }));
  undone(stop);
  return {
    url,
    stop,
    async start() {
      running = await start();
      if (running.connectionString !== url) throw new Error('Somebody took the port of the stopped server.');
    },
  };
}
