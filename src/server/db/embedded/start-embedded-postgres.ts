import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findFreePort, readAccess, writeAccess } from './access.ts';
import { createCluster, findCluster } from './cluster.ts';
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts';
import { EmbeddedPostgresError, translateError } from './embedded-postgres-error.ts';
import { keepRunning } from './keep-running.ts';
import { adoptLeftover } from './leftover-server.ts';
import { chooseAccount } from './os-account.ts';
import { findPrograms } from './programs.ts';
import { changePasswords, newPassword } from './roles.ts';
import { endServer, launchServer, type ServerPlan } from './server.ts';
import { serverSettings } from './settings.ts';

export interface EmbeddedPostgresOptions {
  /** Created if missing. The database is in its folder `postgres`. */
  dataDir: string;
  log: { info(message: string): void };
  /** Connections of the caller's pool. The server accepts at least 60, and more than these. */
  poolSize?: number;
}

export interface EmbeddedPostgres {
  /**
   * For the product, which has no rights beyond its tables. Both contain passwords: do not log
   * them.
   */
  readonly applicationUrl: string;
  /** For migrations and commands. The owner is the server's superuser. */
  readonly ownerUrl: string;
  readonly port: number;
  readonly isAdopted: boolean;
  /** Stops the server and releases the folder. Call it after everything else has stopped. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the files in `dataDir` and a port of 127.0.0.1. Restarts it when it ends. It
 * survives a kill of this process: the next start adopts it.
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  let lock: DataDirLock | undefined;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    lock = lockDataDir(dataDir);
    return await start({ ...options, dataDir }, lock);
  } catch (error) {
    lock?.release();
    throw translateError(error, dataDir);
  }
}

async function start(options: EmbeddedPostgresOptions, lock: DataDirLock): Promise<EmbeddedPostgres> {
  const { plan, access: stored } = await prepare(options);
  const leftover = await adoptLeftover(plan, stored);
  if (leftover)
    plan.log.info(`Using the PostgreSQL server that a killed process left on port ${leftover.access.port}.`);
  const server = leftover ?? (await launchServer(plan, { ...stored, port: await findFreePort(stored.port) }));
  const changed = changePasswords(options.dataDir, server.access);
  const { access, ownerUrl, applicationUrl } = await changed.catch(async (error) => {
    await endServer(server.pid, plan);
    throw error;
  });
  const running = keepRunning(plan, access, server.pid);
  let stopping: Promise<void> | undefined;
  return {
    applicationUrl,
    ownerUrl,
    port: access.port,
    isAdopted: leftover !== null,
    stop: () => {
      stopping ??= running.stop().finally(lock.release);
      return stopping;
    },
  };
}

async function prepare({ dataDir, log, poolSize = 0 }: EmbeddedPostgresOptions) {
  const account = await chooseAccount(dataDir);
  const programs = await findPrograms(account, dataDir);
  const [existing, stored] = [await findCluster(dataDir), await readAccess(dataDir)];
  if (existing && !stored)
    throw new EmbeddedPostgresError(
      `postgres-access.json, which contains the password of the database in ${dataDir}, is missing. Restore it from a copy.`,
    );
  const access = stored ?? (await writeAccess(dataDir, { port: await findFreePort(), password: newPassword() }));
  if (!existing) log.info(`Creating a new database in ${dataDir}.`);
  const cluster = existing ?? (await createCluster(account, programs, access, dataDir));
  const settings = serverSettings(programs.version, poolSize);
  const plan: ServerPlan = { account, programs, cluster, settings, log, logFile: join(dataDir, 'postgres.log') };
  return { plan, access };
}
