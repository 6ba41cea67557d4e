import { realpath } from 'node:fs/promises';
import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { type Connection, connect, type Database } from '../db/database.ts';
import { connectionStringOf, readAccess } from '../db/embedded/access.ts';
import { findCluster } from '../db/embedded/cluster.ts';
import { waitUntilReady } from '../db/embedded/readiness.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import { migrate, missingMigrations } from '../db/migrate.ts';
import { whenInterrupted } from '../interruption.ts';

export interface OpenedDatabase {
  db: Database;
  connection: Connection;
  /** Carries the password: not to be shown. */
  connectionString: string;
  /** Whether it held the product when it was opened. */
  wasMade: boolean;
  close(): Promise<void>;
}

/**
 * What a command needs: a database in any state, left as it is; one that the product can use, made if need be; one that the product has
 * made; or one that the product of this release has made or brought forward.
 */
type Need = 'any' | 'usable' | 'made' | 'current';

/**
 * The product's database for a command that runs beside it or alone: DATABASE_URL, else the embedded server that the product has
 * running on DATA_DIR, else that server started for the time of the command.
 * @throws AppError when it is not what the command needs
 */
export async function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  { needs }: { needs: Need },
): Promise<OpenedDatabase> {
  const mustBeMade = needs === 'made' || needs === 'current';
  if (mustBeMade && !config.DATABASE_URL && !(await findCluster(config.DATA_DIR))) throw noneIn(config);
  const running = config.DATABASE_URL ?? (await runningEmbedded(config.DATA_DIR));
  const started = running ? null : await startForCommand(config.DATA_DIR);
  const connectionString = running ?? started?.connectionString ?? '';
  const connection = connect(connectionString, 2, () => {});
  const close = async () => {
    await connection.close();
    await started?.stop();
  };
  try {
    // A database in use keeps the version of the program that uses it; only an empty one is made ready.
    const wasMade = await hasAccounts(connection.db);
    if (!wasMade && mustBeMade) throw noneIn(config);
    if (!wasMade && needs === 'usable') await migrate(connectionString);
    if (needs === 'current') await refuseOlder(connection);
    return { db: connection.db, connection, connectionString, wasMade, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A server of our own, which does not outlive an interrupted command. */
export async function startForCommand(dataDir: string): Promise<EmbeddedPostgres> {
  const starting = startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  const settled = whenInterrupted(async () => (await starting).stop());
  const started = await starting;
  return {
    ...started,
    async stop() {
      await started.stop();
      settled();
    },
  };
}

/** Only the server on the files of this folder counts: the folder may be a copy, with the port and password of its original. */
async function runningEmbedded(dataDir: string): Promise<string | null> {
  const [access, cluster] = await Promise.all([readAccess(dataDir), findCluster(dataDir)]);
  if (!access || !cluster) return null;
  const server = await waitUntilReady(access, 0);
  const folder = server && (await realpath(server.dataDirectory).catch(() => null));
  return folder === cluster ? connectionStringOf(access) : null;
}

/** A backup of nothing, an erasure of nobody, or a list of no accounts would look like success to who forgot a variable. */
const noneIn = ({ DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>) =>
  new AppError(
    'conflict',
    DATABASE_URL
      ? 'The database that DATABASE_URL names is empty. Set it to the one of the product, or start the product with it first.'
      : `There is no database in ${DATA_DIR}. Set DATA_DIR to the folder of the product, or start the product there first.`,
  );

async function refuseOlder({ pool }: Connection): Promise<void> {
  if ((await missingMigrations(pool)).length === 0) return;
  throw new AppError(
    'conflict',
    'The database is of an earlier release. Start the product of this one once, then run this again.',
  );
}

async function hasAccounts(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass('account') IS NOT NULL AS found`.execute(db);
  return rows[0]?.found ?? false;
}
