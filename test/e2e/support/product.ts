import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { makeDatabase } from '#support/make-database.ts';
import { Recruiter } from './recruiter.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/server/start.mjs');
export const CREDENTIALS = { username: 'admin', password: 'admin123' };

/** The built product in a process of its own, on a database of its own (on DATABASE_URL's server when given), beside a sandbox of the outside world. */
export interface RunningProduct {
  address: string;
  sandbox: Sandbox;
  /** Somebody signed in who arranges things by the API. */
  recruiter: Recruiter;
  /** For arranging what no call arranges. */
  sql(text: string, values?: unknown[]): Promise<void>;
  /** No funnels, no interviews, the sandbox as at its start. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProduct(): Promise<RunningProduct> {
  const sandbox = await startSandbox();
  const dataDir = await mkdtemp(join(tmpdir(), 'interviews-journey-'));
  const own = process.env.DATABASE_URL ? await makeDatabase(process.env.DATABASE_URL) : null;
  const child = fork(MAIN, {
    execArgv: [],
    env: { ...environment(dataDir, sandbox), ...(own && { DATABASE_URL: own.url }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Also when the worker ends without having stopped it.
  const endWithWorker = () => child.kill('SIGTERM');
  process.once('exit', endWithWorker);
  const address = `http://127.0.0.1:${await readyPort(child)}`;
  const recruiter = await Recruiter.signIn(address, CREDENTIALS);
  const database = new pg.Client({ connectionString: own?.url ?? (await embeddedUrl(dataDir)) });
  await database.connect();

  return {
    address,
    sandbox,
    recruiter,
    async sql(text, values = []) {
      await database.query(text, values);
    },
    async reset() {
      sandbox.control.reset();
      await recruiter.deleteAllFunnels();
      await recruiter.call('POST', '/api/interviews/sync/dismiss');
    },
    async stop() {
      await database.end();
      process.off('exit', endWithWorker);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await own?.drop();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Nothing of the surroundings but what a process needs: somebody's settings must not change a journey. */
const environment = (dataDir: string, sandbox: Sandbox): Record<string, string> => ({
  ...Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'USER', 'SystemRoot'].flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  ),
  PORT: '0',
  DATA_DIR: dataDir,
  ...productVariables(sandbox),
  LOG_LEVEL: 'error',
});

async function embeddedUrl(dataDir: string): Promise<string> {
  const access = await readAccess(dataDir);
  if (!access) throw new Error('The product runs without its embedded database.');
  return connectionStringOf(access);
}

async function readyPort(child: ChildProcess): Promise<number> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The product ended with ${code} before it was ready.`);
  });
  ended.catch(() => {});
  const message = once(child, 'message', { signal }).then(([{ port }]) => port as number);
  try {
    return await Promise.race([message, ended]);
  } finally {
    answered.abort();
    message.catch(() => {});
  }
}
