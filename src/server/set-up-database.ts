import type pg from 'pg';
import { grantToApplication } from './db/application-role.ts';
import { openClient } from './db/client.ts';
import { inTurn, MigrationError, migrateOnConnection } from './db/migrate.ts';
import { installQueue } from './jobs/queue.ts';

/**
 * Migrates the database and creates the tables of the queue as the owner, and grants access to the
 * account of `application` unless it is the owner itself. Returns the names of the applied
 * migrations. `report` receives the progress of long ones.
 * @throws MigrationError
 */
export async function setUpDatabase(
  ownerUrl: string,
  application: pg.Pool,
  report: (line: string) => void = () => {},
): Promise<string[]> {
  await using owner = await openClient(ownerUrl, 'migration');
  const accounts = await findAccounts(owner, application);
  const applied = await migrateOnConnection(owner, { progress: { connectionString: ownerUrl, report } });
  await installQueue(owner);
  if (accounts.application !== accounts.owner)
    await inTurn(owner, () => grantToApplication(owner, accounts.application));
  return applied;
}

type Queryable = Pick<pg.Pool, 'query'>;

/** Returns the names of both accounts. @throws MigrationError when their databases differ */
export async function findAccounts(owner: Queryable, application: Queryable) {
  const [one, other] = await Promise.all([identify(owner), identify(application)]);
  if (one?.database !== other?.database)
    throw new MigrationError(
      'DATABASE_URL and DATABASE_OWNER_URL point to different databases. Set both to the same database.',
    );
  return { owner: one?.role ?? '', application: other?.role ?? '' };
}

async function identify(db: Queryable) {
  const { rows } = await db.query<{ role: string; database: string }>(
    'SELECT current_user AS role, current_database() || pg_postmaster_start_time() AS database',
  );
  return rows[0];
}
