import pg from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';

/** Connects. The connection is closed at the end of the block that uses it. */
export async function openDatabase(connectionString: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Starts a database server in the folder, which ends after the work. */
export async function withDatabase<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  return work(server.ownerUrl).finally(() => server.stop());
}
