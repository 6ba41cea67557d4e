import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { residentMb } from './resident-mb.ts';

const MAIN = new URL('../src/server/main.mjs', import.meta.url).pathname;
/** Longer than the product's own stop limit. */
const STOP_LIMIT_MS = 30_000;

export interface ProductOptions {
  /** Kept when the product stops. Default: a temporary folder, deleted with the product. */
  dataDir?: string;
  /** Additional environment variables. */
  env?: Record<string, string>;
}

/** The real product in a separate process, with a signed-in session. */
export interface BenchProduct {
  address: string;
  port: number;
  /** The value of the `Cookie` header. */
  cookie: string;
  pid: number;
  dataDir: string;
  databaseUrl: string;
  /** Milliseconds from the start of the process until it reported that it is ready. */
  startMs: number;
  /** Memory of the application without PostgreSQL's processes. */
  rssMb(): Promise<number>;
  /** Calls the API as the signed-in user. @throws Error unless the status is 2xx */
  call<Answer = unknown>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startProduct({ dataDir, env = {} }: ProductOptions = {}): Promise<BenchProduct> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'bench-product-')));
  const startedAt = performance.now();
  const child = fork(MAIN, {
    execArgv: [],
    env: { ...environment(folder), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const port = await readyPort(child);
  const startMs = performance.now() - startedAt;

  const address = `http://127.0.0.1:${port}`;
  const cookie = await signIn(address);
  const access = await readAccess(folder);
  const pid = child.pid ?? 0;
  return {
    address,
    port,
    cookie,
    pid,
    dataDir: folder,
    databaseUrl: env.DATABASE_URL ?? (access ? connectionStringOf(access) : ''),
    startMs,
    rssMb: () => residentMb(pid),
    call: (method, path, body) => callApi({ address, cookie }, method, path, body),
    async stop() {
      await end(child);
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Only the necessary variables, so that settings of the caller do not affect figures. */
const environment = (dataDir: string): Record<string, string> => ({
  ...Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'USER'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  ),
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'warn',
  ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  READ_QUOTA: '1000000000',
});

async function readyPort(child: ChildProcess): Promise<number> {
  const answered = new AbortController();
  const ended = once(child, 'exit', { signal: answered.signal }).then(([code]) => {
    throw new Error(`The product ended with ${code} before it was ready.`);
  });
  ended.catch(() => {});
  const message = once(child, 'message', { signal: answered.signal });
  message.catch(() => {});
  const [{ port }] = (await Promise.race([message, ended])) as [{ port: number }];
  answered.abort();
  return port;
}

/** Returns the value of the `Cookie` header. */
export async function signIn(address: string, username = 'admin'): Promise<string> {
  const response = await fetch(`${address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'admin123' }),
  });
  if (!response.ok) throw new Error(`Sign-in failed: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function callApi<Answer>(
  { address, cookie }: Pick<BenchProduct, 'address' | 'cookie'>,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(address + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(late);
}
