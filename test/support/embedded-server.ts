import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const MODULE = import.meta.resolve('#server/db/embedded/start-embedded-postgres.ts');

/** Returns the first row. */
export async function query(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

/**
 * Starts the server on the folder in another process group, and keeps running until it is killed.
 */
export async function startInOtherProcess(dataDir: string): Promise<{ child: ChildProcess; ownerUrl: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)};
    process.on('SIGINT', () => {});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: { info() {} } });
    process.stdout.write(server.ownerUrl + '\\n');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the other process ended with ${code}`))),
  ]);
  return { child, ownerUrl: String(line).trim() };
}

export async function killHard(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export const findPostmasterPid = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
