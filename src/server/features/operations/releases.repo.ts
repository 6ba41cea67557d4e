import { type Selectable, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type InstalledRelease = Pick<Selectable<DB['installed_release']>, 'release' | 'migrations'>;

/** The names of the applied migrations, in order. */
export async function listMigrations(db: Executor): Promise<string[]> {
  const rows = await db.selectFrom('migration').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** Returns false when a release is stored already. */
export async function insertInstalledRelease(tx: Executor, installed: InstalledRelease): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('installed_release')
    .values(installed)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export const lockInstalledRelease = (tx: Executor): Promise<InstalledRelease> =>
  tx.selectFrom('installed_release').select(['release', 'migrations']).forUpdate().executeTakeFirstOrThrow();

export async function updateInstalledRelease(tx: Executor, installed: InstalledRelease): Promise<void> {
  await tx.updateTable('installed_release').set(installed).where(sql.lit(true)).execute();
}
