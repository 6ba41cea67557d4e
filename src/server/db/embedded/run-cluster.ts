import { platform } from 'node:os';
import { dirname } from 'node:path';
import { type Access, createAccess, readAccess } from './access.ts';
import { accountAsBefore, chooseAccount } from './account.ts';
import { createCluster, demandSameMajor, findCluster, handOver } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { takeOverLeftover } from './leftover-server.ts';
import { LogFile } from './log-file.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { findPrograms, type Programs, prepareProgramsFor, programsAsBefore } from './programs.ts';
import type { Account } from './run-program.ts';
import { type Launch, launchServer, type ServerPlan } from './server.ts';
import { maxConnections } from './settings.ts';

export interface RunOptions {
  /** Made when missing. The database lives in `postgres` in it. */
  dataDir: string;
  log: { info(message: string): void };
  /** Connections that its user keeps open at the same time; the server takes more than these, and never less than 60. */
  poolSize?: number;
  /** Called when a server has been started and is not ready yet: time for work that needs no database. It may be called again. */
  whileStarting?: (() => void) | undefined;
}

export interface Running extends Prepared {
  pid: number;
  port: number;
  adopted: boolean;
}

/**
 * Runs the server on the files in `dataDir`, and makes them when there are none.
 * @throws EmbeddedPostgresError, or the error of a file operation
 */
export async function runCluster(options: RunOptions): Promise<Running> {
  const found = await findCluster(options.dataDir);
  return (found && (await runAsBefore(options, found))) || runWithEverythingTried(options, found);
}

/** A database that ran before runs in the same way again, nearly always. Null where it does not, or something is left of that time. */
async function runAsBefore(options: RunOptions, found: string): Promise<Running | null> {
  // On Windows a server that is on its way cannot be told from one that ended.
  if (platform() === 'win32' || (await readPostmasterFile(found))) return null;
  try {
    const account = await accountAsBefore(options.dataDir);
    const programs = await programsAsBefore(await findPrograms(), dirname(found));
    const prepared = await prepare(options, { found, account, programs });
    if (!prepared.access.made) return null;
    return await launch(prepared, { isKnown: true, whileStarting: options.whileStarting });
  } catch (error) {
    options.log.info(`PostgreSQL does not start as it did before; it is tried in other ways. ${wordsOf(error)}`);
    return null;
  }
}

async function runWithEverythingTried(options: RunOptions, found: string | null): Promise<Running> {
  const { dataDir, log, whileStarting } = options;
  const account = await chooseAccount(dataDir);
  const copyFolder = found ? dirname(found) : account.home;
  const programs = await prepareProgramsFor(account, await findPrograms(), copyFolder);
  const prepared = await prepare(options, { found, account, programs });
  const leftover = await takeOverLeftover(prepared.plan, prepared.access);
  if (!leftover) return launch(prepared, { whileStarting });
  log.info(`PostgreSQL was left running by a killed process and is used again (port ${leftover.port}).`);
  return { ...prepared, ...leftover, adopted: true };
}

const launch = async ({ plan, access }: Prepared, how: Launch): Promise<Running> => ({
  ...{ plan, access, adopted: false },
  ...(await launchServer(plan, access, how)),
});

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

interface Prepared {
  plan: ServerPlan;
  access: Access;
}

interface Found {
  /** The folder of the database's files; null where none has been made yet. */
  found: string | null;
  account: Account;
  programs: Programs;
}

/** The files and the password, all there. */
async function prepare({ dataDir, log, poolSize = 0 }: RunOptions, known: Found): Promise<Prepared> {
  const { found, account, programs } = known;
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
