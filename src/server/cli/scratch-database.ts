import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveReader } from '#server/backup/archive-reader.ts';
import { type RestoreTarget, restoreBackup } from '#server/backup/restore-backup.ts';
import type { VerifiedArchive } from '#server/backup/verify-archive.ts';
import { migrate } from '#server/db/migrate.ts';
import { whenInterrupted } from '#server/interruption.ts';
import { startForCommand } from './open-database.ts';

/** Runs `work` with a database server in a temporary folder (TMPDIR), and deletes the folder. */
export async function withScratchDatabase<T>(work: (connectionString: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-scratch-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  await using opened = new AsyncDisposableStack();
  opened.use(whenInterrupted(remove));
  opened.defer(remove);
  const server = opened.use(await startForCommand(folder));
  return await work(server.ownerUrl);
}

interface ScratchRestore extends Omit<RestoreTarget, 'files'> {
  archive: ArchiveReader;
  verified: VerifiedArchive;
}

/** Restores the rows of a backup, with the tables of its release. */
export async function restoreRows({ archive, verified, ...target }: ScratchRestore): Promise<number> {
  await migrate(target.connectionString, { upTo: verified.manifest.migrations.at(-1) ?? '' });
  return (await restoreBackup(archive, verified, { ...target, files: null })).rows;
}
