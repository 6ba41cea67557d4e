import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { Recruiter } from '#support/recruiter.ts';
import { temporaryFolder } from '../scripts/steps/workspace.ts';
import { Child } from './child.ts';

const MAIN = new URL('../src/server/main.mjs', import.meta.url);
/** Every account in a benchmark has it. */
export const PASSWORD = 'admin123';

export interface ProductOptions {
  /** Kept when the product stops. Default: a temporary folder, deleted with the product. */
  dataDir?: string;
  /** Additional environment variables. */
  env?: Record<string, string>;
}

export type BenchProduct = Awaited<ReturnType<typeof startProduct>>;

/** The real product in a separate process. Disposing of it stops it. */
export async function startProduct({ dataDir, env = {} }: ProductOptions = {}) {
  await using started = new AsyncDisposableStack();
  const folder = dataDir ?? started.use(await temporaryFolder('product')).path;
  const startedAt = performance.now();
  const variables = { ...environment(folder), ...env };
  const child = new Child(MAIN, [], { execArgv: [], env: variables, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  started.use(child);
  const { port } = await child.receive<{ port: number }>();
  const startMs = performance.now() - startedAt;

  const url = `http://127.0.0.1:${port}`;
  const admin = await Recruiter.signIn(url, { username: 'admin', password: PASSWORD });
  const access = await readAccess(folder);
  const running = started.move();
  return {
    url,
    port,
    admin,
    /** The value of the administrator's `Cookie` header. */
    cookie: admin.cookie,
    pid: child.pid,
    dataDir: folder,
    databaseUrl: env.DATABASE_URL ?? (access ? connectionStringOf(access) : ''),
    /** Milliseconds from the start of the process until it reported that it is ready. */
    startMs,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Only the necessary variables, so that settings of the caller do not affect figures. */
const environment = (dataDir: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  USER: process.env.USER,
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'warn',
  ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  READ_QUOTA: '1000000000',
});
