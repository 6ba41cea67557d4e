import pg from 'pg';

/**
 * Opens a connection outside the pool, named after its purpose. It is closed at the end of the
 * block that uses it.
 */
export async function openClient(connectionString: string, purpose: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString, application_name: `interviews ${purpose}` });
  // A lost connection fails the running query. The event must not end the process.
  client.on('error', () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
