import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { makeDatabase } from '#support/make-database.ts';
import { Recruiter } from '#support/recruiter.ts';
import { connectDemoAts } from '../../../scripts/demo/connect-demo-ats.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/server/main.mjs');
export const CREDENTIALS = { username: 'admin', password: 'admin123' };

/**
 * The built product in its own process, with its own sandbox and database. The database is on the
 * server of DATABASE_URL when that is set.
 */
export interface RunningProduct {
  url: string;
  sandbox: Sandbox;
  recruiter: Recruiter;
  /** Prepares data that no API call can create. */
  sql(text: string, values?: unknown[]): Promise<void>;
  dataDir: string;
  /** The value of `UPLOAD_FOLDER`. */
  uploadFolder: string;
  /** Runs `npm run ats:connect` and accepts the terms of the sandbox's Bullhorn, until `reset`. */
  connectBullhorn(): Promise<void>;
  /**
   * Removes funnels, interviews, views, API tokens and invited accounts, and resets the sandbox.
   */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** `more` are further variables of its environment. */
export async function startProduct(more: Record<string, string> = {}): Promise<RunningProduct> {
  const sandbox = await startSandbox();
  const { dataDir, uploadFolder } = await makeFolders();
  const database = process.env.DATABASE_URL ? await makeDatabase(process.env.DATABASE_URL) : null;
  const variables = { ...productVariables(sandbox), DATA_DIR: dataDir, UPLOAD_FOLDER: uploadFolder };
  const env = { ...environment(variables), ...(database && { DATABASE_URL: database.url }), ...more };
  const child = fork(MAIN, { execArgv: [], env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // Covers a worker that exits without calling `stop`.
  const endWithWorker = () => child.kill('SIGTERM');
  process.once('exit', endWithWorker);
  const url = `http://127.0.0.1:${await readyPort(child)}`;
  const recruiter = await Recruiter.signIn(url, CREDENTIALS);
  const client = new pg.Client({ connectionString: database?.url ?? (await embeddedUrl(dataDir)) });
  await client.connect();

  return {
    url,
    dataDir,
    uploadFolder,
    sandbox,
    recruiter,
    async sql(text, values = []) {
      await client.query(text, values);
    },
    connectBullhorn: () => connectDemoAts(env),
    async reset() {
      sandbox.control.reset();
      await recruiter.deleteAllFunnels();
      await recruiter.call('POST', '/api/interviews/sync/dismiss');
      for (const table of EMPTIED_TABLES) await client.query(`DELETE FROM ${table}`);
      await client.query('DELETE FROM account WHERE username <> $1', [CREDENTIALS.username]);
    },
    async stop() {
      await client.end();
      process.off('exit', endWithWorker);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await database?.drop();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The folder for uploads is removed with the data. */
async function makeFolders(): Promise<{ dataDir: string; uploadFolder: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interviews-journey-'));
  const uploadFolder = join(dataDir, 'upload-folder');
  await mkdir(uploadFolder);
  return { dataDir, uploadFolder };
}

const EMPTIED_TABLES = ['saved_view', 'share_batch', 'api_token', 'outgoing_webhook', 'ats_connection'];

/**
 * Passes on only necessary variables, so that settings of the developer do not change a journey.
 */
const environment = (variables: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'USER', 'SystemRoot'].flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  ),
  PORT: '0',
  ...variables,
  LOG_LEVEL: 'error',
});

async function embeddedUrl(dataDir: string): Promise<string> {
  const access = await readAccess(dataDir);
  if (!access) throw new Error('The product runs without its embedded database.');
  return connectionStringOf(access);
}

async function readyPort(child: ChildProcess): Promise<number> {
  const ready = new AbortController();
  const { signal } = ready;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The product exited with ${code} before it was ready.`);
  });
  ended.catch(() => {});
  const message = once(child, 'message', { signal }).then(([{ port }]) => port as number);
  try {
    return await Promise.race([message, ended]);
  } finally {
    ready.abort();
    message.catch(() => {});
  }
}
