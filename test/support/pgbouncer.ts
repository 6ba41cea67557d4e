import { onTestFinished } from 'vitest';
import { runPgBouncer } from './run-pgbouncer.ts';

/**
 * Starts PgBouncer with few connections, so that clients share them. Returns the URL of the
 * database through it. It is stopped when the test ends.
 */
export async function startPgBouncer(databaseUrl: string): Promise<string> {
  const { url, remove } = await runPgBouncer(databaseUrl, 3);
  onTestFinished(remove);
  return url;
}
