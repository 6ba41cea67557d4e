import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
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
  const { port } = running;
  const url = await createOwner(running.ownerUrl);
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
      if (running.port !== port) throw new Error('Another program took the port of the stopped server.');
    },
  };
}

/**
 * Creates an account that owns the database, whose password stays the same. Returns its address.
 */
async function createOwner(superuserUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query("CREATE ROLE external LOGIN PASSWORD 'external'; ALTER DATABASE interviews OWNER TO external");
  await client.end();
  return Object.assign(new URL(superuserUrl), { username: 'external', password: 'external' }).href;
}
