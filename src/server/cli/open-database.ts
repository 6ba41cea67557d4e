import { realpath } from 'node:fs/promises';
import { sql } from 'kysely';
import { AppError } from '#server/app-error.ts';
import type { Config } from '#server/config/config.ts';
import { type Connection, connect, type Database } from '#server/db/database.ts';
import { connectionStringOf, query, readAccess, waitUntilReady } from '#server/db/embedded/access.ts';
import { findCluster } from '#server/db/embedded/cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate, missingMigrations } from '#server/db/migrate.ts';
import { whenInterrupted } from '#server/interruption.ts';

/** Closed at the end of the block that uses it. */
export interface OpenedDatabase extends AsyncDisposable {
  db: Database;
  connection: Connection;
  /** The owner's URL. It contains the password: do not print it. */
  connectionString: string;
  /** Whether the product's tables existed before the database was opened. */
  hadTables: boolean;
}

/**
 * `any` leaves the database as it is; `usable` creates the tables in an empty database; `current`
 * refuses an empty database. The last two refuse one that this release has not migrated yet.
 */
type DatabaseNeed = 'any' | 'usable' | 'current';

/**
 * Opens the product's database for a command, as its owner: the configured one, else the embedded
 * server that the product runs on DATA_DIR, else an embedded server started for the duration of the
 * command.
 * @throws AppError if the command cannot work with the database
 */
export async function openDatabase(config: Config, { needs }: { needs: DatabaseNeed }): Promise<OpenedDatabase> {
  const mustExist = needs === 'current';
  if (mustExist && !config.DATABASE_URL && !(await findCluster(config.DATA_DIR))) throw databaseMissing(config);
  const running = configuredOwnerUrl(config) ?? (await findRunningServer(config.DATA_DIR));
  await using opened = new AsyncDisposableStack();
  const started = opened.use(running ? null : await startForCommand(config.DATA_DIR));
  const connectionString = running ?? started?.ownerUrl ?? '';
  const connection = opened.use(connect(connectionString, 2, () => {}));
  const hadTables = await hasTables(connection.db);
  if (!hadTables && mustExist) throw databaseMissing(config);
  // A database in use is left at the version of the program that uses it.
  if (!hadTables && needs === 'usable') await migrate(connectionString);
  if (hadTables && needs !== 'any') await refuseOlder(connection);
  const kept = opened.move();
  const close = () => kept.disposeAsync();
  return { db: connection.db, connection, connectionString, hadTables, [Symbol.asyncDispose]: close };
}

/** Whether any process of the product uses this database. */
export async function isServerRunning(pool: Connection['pool']): Promise<boolean> {
  const { rows } = await pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'interviews live' LIMIT 1",
  );
  return rows.length > 0;
}

/** Undefined with an embedded database. */
export const configuredOwnerUrl = (config: Config): string | undefined =>
  config.DATABASE_OWNER_URL ?? config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;

/**
 * Starts an embedded server. It is stopped at the end of the block that uses it, and when the
 * command is interrupted.
 */
export async function startForCommand(dataDir: string): Promise<Pick<EmbeddedPostgres, 'ownerUrl'> & AsyncDisposable> {
  const starting = startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  const settled = whenInterrupted(async () => (await starting).stop());
  const { ownerUrl, stop } = await starting;
  return { ownerUrl, [Symbol.asyncDispose]: () => stop().then(() => settled[Symbol.dispose]()) };
}

/** Compares the folders: DATA_DIR may be a copy that has the port and password of its original. */
async function findRunningServer(dataDir: string): Promise<string | null> {
  const [access, cluster] = await Promise.all([readAccess(dataDir), findCluster(dataDir)]);
  if (!access || !cluster) return null;
  const valid = await waitUntilReady(access, 0);
  if (!valid) return null;
  const { folder } = (await query(valid, `SELECT current_setting('data_directory') AS folder`)) as { folder: string };
  return (await realpath(folder).catch(() => null)) === cluster ? connectionStringOf(valid) : null;
}

/** Working on an empty database would look like success when a variable is missing or mistyped. */
const databaseMissing = ({ DATABASE_URL, DATA_DIR }: Config) =>
  new AppError(
    'conflict',
    DATABASE_URL
      ? "The database in DATABASE_URL is empty. Set it to the product's database, or start the server with it first."
      : `There is no database in ${DATA_DIR}. Set DATA_DIR to the product's folder, or start the server there first.`,
  );

async function refuseOlder({ pool }: Connection): Promise<void> {
  if ((await missingMigrations(pool)).length === 0) return;
  throw new AppError(
    'conflict',
    'The database is from an earlier release. Start this release with npm start, which migrates it, then run this again.',
  );
}

async function hasTables(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass('account') IS NOT NULL AS found`.execute(db);
  return rows[0]?.found ?? false;
}
