import { join, resolve } from 'node:path';
import { loadOnce } from '#server/async/single-flight.ts';
import { makeFolder } from '#server/make-folder.ts';
import { changePasswords, newPassword, readAccess, writeAccess } from './access.ts';
import { createCluster, findCluster } from './cluster.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { EmbeddedPostgresError, translateError } from './embedded-postgres-error.ts';
import { findFreePort } from './find-free-port.ts';
import { keepRunning } from './keep-running.ts';
import { stopLeftover } from './leftover-server.ts';
import { chooseAccount } from './os-account.ts';
import { findPrograms } from './programs.ts';
import { endServer, launchServer, type ServerPlan } from './server.ts';

export interface EmbeddedPostgresOptions {
  /** Created if missing. The database is in its folder `postgres`. */
  dataDir: string;
  log: { info(message: string): void };
  /** Connections of the caller's pool. The server accepts at least 60, and more than these. */
  poolSize?: number;
}

/** The URLs contain passwords: do not log them. */
export interface EmbeddedPostgres {
  /** For the product, which has no rights beyond its tables. */
  readonly applicationUrl: string;
  /** For migrations and commands. The owner is the server's superuser. */
  readonly ownerUrl: string;
  readonly port: number;
  /** Stops the server and releases the folder. Call it after everything else has stopped. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the files in `dataDir` and a port of 127.0.0.1. Restarts it when it ends. It
 * survives a kill of this process: the next start stops it and starts its own.
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  let lock: ReturnType<typeof lockDataDir> | undefined;
  try {
    await makeFolder(dataDir);
    lock = lockDataDir(dataDir);
    return await start({ ...options, dataDir }, lock);
  } catch (error) {
    lock?.close();
    throw translateError(error, dataDir);
  }
}

async function start(options: EmbeddedPostgresOptions, lock: { close(): void }): Promise<EmbeddedPostgres> {
  const { plan, access: stored } = await prepare(options);
  await stopLeftover(plan);
  const server = await launchServer(plan, { ...stored, port: await findFreePort(stored.port) });
  const changed = changePasswords(options.dataDir, server.access);
  const { access, ...urls } = await changed.catch(async (error) => {
    await endServer(server.pid, plan);
    throw error;
  });
  const running = keepRunning(plan, access, server.pid);
  const stop = loadOnce(() => running.stop().finally(() => lock.close()));
  return { ...urls, port: access.port, stop };
}

async function prepare({ dataDir, log, poolSize = 0 }: EmbeddedPostgresOptions) {
  const account = await chooseAccount(dataDir);
  const bin = await findPrograms(account, dataDir);
  const [existing, stored] = [await findCluster(dataDir), await readAccess(dataDir)];
  if (existing && !stored)
    throw new EmbeddedPostgresError(
      `postgres-access.json, which contains the password of the database in ${dataDir}, is missing. Restore it from a copy.`,
    );
  const access = stored ?? (await writeAccess(dataDir, { port: await findFreePort(), password: newPassword() }));
  if (!existing) log.info(`Creating a new database in ${dataDir}.`);
  const cluster = existing ?? (await createCluster(account, bin, access, dataDir));
  const plan: ServerPlan = { account, bin, cluster, poolSize, log, logFile: join(dataDir, 'postgres.log') };
  return { plan, access };
}
