import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { Child } from './child.ts';

const MAIN = new URL('../src/server/main.mjs', import.meta.url);

export interface ProductOptions {
  /** Kept when the product stops. Default: a temporary folder, deleted with the product. */
  dataDir?: string;
  /** Additional environment variables. */
  env?: Record<string, string>;
}

/** The real product in a separate process, with a signed-in session. Disposing of it stops it. */
export interface BenchProduct extends AsyncDisposable {
  address: string;
  port: number;
  /** The value of the `Cookie` header. */
  cookie: string;
  pid: number;
  dataDir: string;
  databaseUrl: string;
  /** Milliseconds from the start of the process until it reported that it is ready. */
  startMs: number;
  /** Calls the API as the signed-in user. @throws Error unless the status is 2xx */
  call<Answer = unknown>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>;
}

/** A new folder that is deleted at the end of the block that uses it. */
export const temporaryFolder = (name: string) => mkdtempDisposable(join(tmpdir(), `bench-${name}-`));

export async function startProduct({ dataDir, env = {} }: ProductOptions = {}): Promise<BenchProduct> {
  await using started = new AsyncDisposableStack();
  const folder = dataDir ?? started.use(await temporaryFolder('product')).path;
  const startedAt = performance.now();
  const variables = { ...environment(folder), ...env };
  const child = new Child(MAIN, [], { execArgv: [], env: variables, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  started.use(child);
  const { port } = await child.receive<{ port: number }>();
  const startMs = performance.now() - startedAt;

  const address = `http://127.0.0.1:${port}`;
  const cookie = await signIn(address);
  const access = await readAccess(folder);
  const running = started.move();
  return {
    address,
    port,
    cookie,
    pid: child.pid,
    dataDir: folder,
    databaseUrl: env.DATABASE_URL ?? (access ? connectionStringOf(access) : ''),
    startMs,
    async call<Answer>(method: string, path: string, body?: object) {
      return (await (await send(address + path, { method, cookie, body })).json()) as Answer;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
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

/** Returns the value of the `Cookie` header. */
export async function signIn(address: string, username = 'admin'): Promise<string> {
  return cookieOf(await send(`${address}/api/login`, { method: 'POST', body: { username, password: 'admin123' } }));
}

export const cookieOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** @throws Error unless the status is 2xx */
export async function send(
  url: string,
  { method, cookie, body }: { method: string; cookie?: string; body?: object | undefined },
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response;
}
