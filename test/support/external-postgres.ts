import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';

/** A PostgreSQL server outside the product, which can be stopped and started. */
export interface ExternalPostgres {
  url: string;
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Stops it and deletes its files. */
  remove(): Promise<void>;
}

export async function startExternalPostgres(): Promise<ExternalPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interviews-external-'));
  const start = () => startEmbeddedPostgres({ dataDir, log: { info: () => {} }, poolSize: 100 });
  let running: EmbeddedPostgres | null = await start();
  const { port } = running;
  const url = await createOwner(running.ownerUrl);
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  return {
    url,
    stop,
    async start() {
      running = await start();
      if (running.port !== port) throw new Error('Another program took the port of the stopped server.');
    },
    async remove() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
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
