import type { EventData } from '#contracts/events.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Log } from '#server/ports/log.ts';
import { RELEASE } from '#server/release.ts';
import { releaseChangedEntry } from './operations-log.ts';
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
export async function recordRelease({ db, events, log }: { db: Database; events: Events; log: Log }): Promise<void> {
  const change = await db.transaction().execute(async (tx): Promise<EventData<'release.changed'> | null> => {
    const isFirst = await insertInstalledRelease(tx, { release: RELEASE, migrations: await listMigrations(tx) });
    if (isFirst) return null;
    const former = await lockInstalledRelease(tx);
    // Read while the row is locked: another process may have migrated in the meantime.
    const migrations = await listMigrations(tx);
    const added = migrations.filter((name) => !former.migrations.includes(name));
    if (former.release === RELEASE && added.length === 0) return null;
    await updateInstalledRelease(tx, { release: RELEASE, migrations });
    const change = { from: former.release, to: RELEASE, migrations: added };
    await events.record(tx, 'release.changed', change);
    return change;
  });
  if (change) log.info(change, releaseChangedEntry(change).summary);
}
