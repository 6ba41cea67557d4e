import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Access, connectionStringOf, createAccess, readAccess, writeAccess } from './access.ts';
import { chooseAccount } from './account.ts';
import { createCluster, demandSameMajor, findCluster, handOver } from './cluster.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { EmbeddedPostgresError, explainError } from './embedded-postgres-error.ts';
import { keepRunning } from './keep-running.ts';
import { takeOverLeftover } from './leftover-server.ts';
import { LogFile } from './log-file.ts';
import { findPrograms, prepareProgramsFor } from './programs.ts';
import { launchServer, type ServerPlan } from './server.ts';
import { maxConnections } from './settings.ts';

/** A PostgreSQL server of our own, answering. */
export interface EmbeddedPostgres {
  /** Carries the password: not for logs. */
  readonly connectionString: string;
  readonly port: number;
  /** Whether the server was running already, left behind by a process that was killed. */
  readonly adopted: boolean;
  /** Ends the server in order and frees the folder. Call it last, after everything that uses the database. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** Made when missing. The database lives in `postgres` in it. */
  dataDir: string;
  log: { info(message: string): void };
  /** Connections that its user keeps open at the same time; the server takes more than these, and never less than 60. */
  poolSize?: number;
  /** Called when a server has been started and is not ready yet: time for work that needs no database. It may be called again. */
  whileStarting?: (() => void) | undefined;
}

/**
 * Starts PostgreSQL on the files in `dataDir`, on 127.0.0.1 and a port of its own, and makes them at the first start.
 * The server survives a kill of this process, and the next start takes it over. One that ends by itself is started again.
 *
 * @throws EmbeddedPostgresError whose message names the cause and what to do: folder in use, package missing, no space, no permission
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = lockDataDir(folder);
    try {
      return await start({ ...options, dataDir: folder }, lock.release);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw explainError(error, folder);
  }
}

async function start(options: StartOptions, release: () => void): Promise<EmbeddedPostgres> {
  const { dataDir, log, whileStarting } = options;
  const { plan, access } = await prepare(options);
  const leftover = await takeOverLeftover(plan, access);
  if (leftover) log.info(`PostgreSQL was left running by a killed process and is used again (port ${leftover.port}).`);
  const { pid, port } = leftover ?? (await launchServer(plan, access, whileStarting));
  if (port !== access.port) await writeAccess(dataDir, { ...access, port });

  const trimming = plan.logFile.keepSmall();
  const kept = keepRunning({ plan, access: { ...access, port }, pid, log });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    trimming.stop();
    await kept.stop();
    release();
  };
  return {
    connectionString: connectionStringOf({ ...access, port }),
    port,
    adopted: leftover !== null,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** The account, the programs, the files and the password, all there. */
async function prepare({ dataDir, log, poolSize = 0 }: StartOptions): Promise<{ plan: ServerPlan; access: Access }> {
  const found = await findCluster(dataDir);
  const account = await chooseAccount(dataDir);
  const programs = await prepareProgramsFor(account, await findPrograms(), found ? dirname(found) : account.home);
  const access = (await readAccess(dataDir)) ?? (await createAccessUnless(found, dataDir));
  if (found) {
    await demandSameMajor(found, programs);
    await handOver(account, found);
  } else log.info(`Making a new database in ${dataDir}.`);
  const cluster = found ?? (await createCluster(account, programs, access, dataDir));
  const settings = { programsVersion: programs.version, maxConnections: maxConnections(poolSize) };
  return { plan: { account, programs, cluster, settings, logFile: new LogFile(dataDir) }, access };
}

async function createAccessUnless(cluster: string | null, dataDir: string): Promise<Access> {
  if (cluster === null) return createAccess(dataDir);
  throw new EmbeddedPostgresError(
    `The password of the database in ${dataDir} is missing: postgres-access.json was removed. Put it back from a copy.`,
  );
}
