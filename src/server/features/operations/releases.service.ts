import type { Database } from '#server/db/database.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import type { Log } from '#server/ports/log.ts';
import { RELEASE } from '#server/release.ts';
import { type ReleaseChange, releaseChangedEntry } from './operations-log.ts';
import {
  insertInstalledRelease,
  listMigrations,
  lockInstalledRelease,
  updateInstalledRelease,
} from './releases.repo.ts';

/**
 * Stores the release of this process, and logs it if another release used this database before, or
 * if it was migrated. Writes one entry even when many processes start at the same time.
 */
export async function recordRelease({ db, logs, log }: { db: Database; logs: Logs; log: Log }): Promise<void> {
  const change = await db.transaction().execute(async (tx): Promise<ReleaseChange | null> => {
    const isFirst = await insertInstalledRelease(tx, { release: RELEASE, migrations: await listMigrations(tx) });
    if (isFirst) return null;
    const former = await lockInstalledRelease(tx);
    // Read while the row is locked: another process may have migrated in the meantime.
    const migrations = await listMigrations(tx);
    const added = migrations.filter((name) => !former.migrations.includes(name));
    if (former.release === RELEASE && added.length === 0) return null;
    await updateInstalledRelease(tx, { release: RELEASE, migrations });
    const change = { from: former.release, to: RELEASE, migrations: added };
    await logs.write(tx, releaseChangedEntry(change));
    return change;
  });
  if (change) log.info(change, releaseChangedEntry(change).summary);
}
