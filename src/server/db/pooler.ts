import pg from 'pg';

/** Whether a pooler such as PgBouncer is between this program and the database. */
export async function isPooled(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, application_name: 'interviews check' });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // A pooler reports another id than the database process.
    return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
  } finally {
    await client.end();
  }
}
