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
  const { dataDir, log } = options;
  const { plan, access, pid, port, adopted } = await runAsBefore(options);
  if (port !== access.port || !access.made) await writeAccess(dataDir, { ...access, port, made: true });

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
    adopted,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

interface Running extends Prepared {
  pid: number;
  port: number;
  adopted: boolean;
}

/** A database that ran before runs in the same way again, nearly always; where it does not, everything is looked at anew. */
async function runAsBefore(options: StartOptions): Promise<Running> {
  const found = await findCluster(options.dataDir);
  if (found) {
    const running = await run(options, { found, asBefore: true }).catch(() => null);
    if (running) return running;
  }
  return run(options, { found, asBefore: false });
}

async function run(options: StartOptions, how: Found): Promise<Running> {
  const { plan, access } = await prepare(options, how);
  const leftover = await takeOverLeftover(plan, access);
  if (leftover && leftover !== 'ended') {
    options.log.info(`PostgreSQL was left running by a killed process and is used again (port ${leftover.port}).`);
    return { plan, access, ...leftover, adopted: true };
  }
  const isKnown = how.asBefore && access.made && leftover === null;
  const launched = await launchServer(plan, access, { isKnown, whileStarting: options.whileStarting });
  return { plan, access, ...launched, adopted: false };
}

interface Found {
  /** The folder of the database's files; null where none has been made yet. */
  found: string | null;
  asBefore: boolean;
}

interface Prepared {
  plan: ServerPlan;
  access: Access;
}

/** The account, the programs, the files and the password, all there. */
async function prepare({ dataDir, log, poolSize = 0 }: StartOptions, { found, asBefore }: Found): Promise<Prepared> {
  const account = await chooseAccount(dataDir, { asBefore });
  const copyFolder = found ? dirname(found) : account.home;
  const programs = await prepareProgramsFor(account, await findPrograms(), { copyFolder, asBefore });
  const kept = await readAccess(dataDir);
  // Files that somebody removed took the application's database along.
  const access = kept ? { ...kept, made: kept.made && found !== null } : await createAccessUnless(found, dataDir);
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
