import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { hasAccess } from './db/application-role.ts';
import { connect } from './db/database.ts';
import { isDatabaseCrowded, isDatabaseDown } from './db/database-down.ts';
import { demandMigrated, MigrationError, missingMigrations } from './db/migrate.ts';
import { isQueueCurrent } from './jobs/queue.ts';

/** As long as the migration job of Kubernetes may run (deploy/kubernetes/migrate.yaml). */
const WAIT_TIMEOUT_MS = 60 * 60_000;
const CHECK_INTERVAL_MS = 1_000;
const REMINDER_INTERVAL_MS = 60_000;

/** `undefined_table` and `insufficient_privilege` (appendix A of PostgreSQL's manual). */
const NOT_SET_UP: Partial<Record<string, string>> = {
  '42P01': 'it has no tables yet',
  '42501': 'the account of DATABASE_URL has no access yet',
};

export interface WaitOptions {
  /** Prints what it is waiting for, when that changes and every minute, and the end. */
  print: (line: string) => void;
  timeoutMs?: number | undefined;
}

/**
 * Resolves when another process has done for this release what `setUpDatabase` does: the
 * migrations, the tables of the queue and the access to both. An outage of the database prolongs
 * the wait.
 * @throws MigrationError when the database is too new for this program, or after the timeout
 */
export async function waitForSetUp(connectionString: string, options: WaitOptions): Promise<void> {
  const { print, timeoutMs = WAIT_TIMEOUT_MS } = options;
  await using connection = connect(connectionString, 1, () => {});
  const startedAt = performance.now();
  let printed = { obstacle: '', at: 0 };
  for (;;) {
    const obstacle = await findObstacle(connection.pool);
    if (obstacle === null) return print('The database is up to date.');
    const now = performance.now();
    if (now - startedAt >= timeoutMs)
      throw new MigrationError(
        `The database was not upgraded within ${Math.round(timeoutMs / 60_000)} minutes: ${obstacle}. Look at the output of npm run migrate (on Kubernetes, the job interviews-migrate), and run it again with this release.`,
      );
    if (obstacle !== printed.obstacle || now - printed.at >= REMINDER_INTERVAL_MS) {
      print(`Waiting until the database is upgraded: ${obstacle}.`);
      printed = { obstacle, at: now };
    }
    await sleep(CHECK_INTERVAL_MS);
  }
}

/** Returns why this release cannot work with the database yet; null if it can. */
async function findObstacle(pool: pg.Pool): Promise<string | null> {
  try {
    const missing = await missingMigrations(pool);
    if (missing.length > 0) return `it lacks ${missing.join(', ')}`;
    await demandMigrated(pool);
    if (!(await isQueueCurrent(pool))) return 'the tables of its queue are from another release';
    return (await hasAccess(pool)) ? null : 'the account of DATABASE_URL cannot read all tables yet';
  } catch (error) {
    if (isDatabaseDown(error)) return 'it does not respond';
    if (isDatabaseCrowded(error)) return 'it accepts no more connections';
    const obstacle = error instanceof Error && 'code' in error ? NOT_SET_UP[String(error.code)] : undefined;
    if (obstacle === undefined) throw error;
    return obstacle;
  }
}
