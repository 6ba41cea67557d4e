import pg from 'pg';

/** Connects. The connection is closed at the end of the block that uses it. */
export async function openDatabase(connectionString: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
