import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { ClusterProcess } from './cluster-process.ts';
import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { freePorts } from './free-ports.ts';
import { startShippedNginx } from './nginx.ts';
import { type PgBouncer, runPgBouncer } from './run-pgbouncer.ts';
import { type Swift, startSwift } from './swift/start-swift.ts';

const ROLES = ['web', 'web', 'worker', 'worker'] as const;
/** Transactions are short, so a few connections serve all processes. */
const POOL_SIZE = 20;
export const SHUTDOWN_DELAY_S = 2;
export const CREDENTIALS = { username: 'admin', password: 'correct horse battery' };

/** Two web processes behind nginx and two workers, over PostgreSQL, PgBouncer and Swift. */
export interface Cluster {
  /** The URL of nginx. */
  url: string;
  processes: readonly ClusterProcess[];
  postgres: ExternalPostgres;
  pooler: PgBouncer;
  swift: Swift;
  bucket: string;
  sandbox: Sandbox;
  /** The folder of logs and of the processes' data. */
  folder: string;
  env: Record<string, string>;
  /** Queries the database itself over a new connection. */
  ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  stop(options: { keepLogs: boolean }): Promise<void>;
}

/** @param root the folder of the release that the processes run */
export async function startCluster(root: string): Promise<Cluster> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'interviews-cluster-'));
  const [postgres, swift, sandbox] = await Promise.all([startExternalPostgres(), startSwift(), startSandbox()]);
  opened.defer(() => sandbox.close());
  opened.defer(() => swift.stop());
  opened.defer(() => postgres.remove());
  const pooler = await runPgBouncer(postgres.url, POOL_SIZE);
  opened.defer(() => pooler.remove());
  const bucket = await swift.createBucket();
  const env = { ...environment(sandbox, postgres, pooler), ...swift.variables(bucket) };
  const processes = await makeProcesses(folder, env);
  opened.defer(async () => void (await Promise.all(processes.map((process) => process.terminate()))));
  // Started one after the other, because the first one migrates the database.
  for (const process of processes) await process.start(root);
  const nginx = await startShippedNginx(
    processes.filter(({ plan }) => plan.role === 'web').map(({ plan }) => plan.port),
  );
  opened.defer(() => nginx.stop());
  const parts = opened.move();
  return {
    url: `http://127.0.0.1:${nginx.port}`,
    ...{ processes, postgres, pooler, swift, bucket, sandbox, folder, env },
    ask: (sql) => ask(postgres.url, sql),
    async stop({ keepLogs }) {
      await parts.disposeAsync();
      if (!keepLogs) await rm(folder, { recursive: true, force: true });
    },
  };
}

const environment = (sandbox: Sandbox, postgres: ExternalPostgres, pooler: PgBouncer): Record<string, string> => ({
  ...Object.fromEntries(['PATH', 'HOME', 'TMPDIR'].map((name) => [name, process.env[name] ?? ''])),
  ...productVariables(sandbox),
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  TRUST_PROXY: 'true',
  DATABASE_URL: pooler.url,
  DATABASE_DIRECT_URL: postgres.url,
  DATABASE_PREPARED: 'off',
  ENCRYPTION_KEY: 'ab'.repeat(32),
  SESSION_SECRET: 'a secret of the cluster test',
  ADMIN_PASSWORD: CREDENTIALS.password,
  SHUTDOWN_DELAY_S: String(SHUTDOWN_DELAY_S),
  READ_QUOTA: '1000000',
});

async function makeProcesses(folder: string, env: Record<string, string>): Promise<ClusterProcess[]> {
  const ports = await freePorts(ROLES.length);
  return Promise.all(
    ROLES.map(async (role, index) => {
      const name = `${role}-${index + 1}`;
      const dataDir = join(folder, name);
      await mkdir(dataDir, { mode: 0o700 });
      const own = { ROLES: role, DATA_DIR: dataDir };
      const logFile = join(folder, `${name}.log`);
      return new ClusterProcess({ name, role, port: ports[index] ?? 0, env: { ...env, ...own }, logFile });
    }),
  );
}

async function ask<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
