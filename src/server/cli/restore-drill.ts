import type { ArchiveReader } from '#server/backup/archive-reader.ts';
import { findWrongCounts, findWrongList } from '#server/backup/check-rows.ts';
import { countOnlyIn, type FileNames, filesOfInterviews } from '#server/backup/list-files.ts';
import type { VerifiedArchive } from '#server/backup/verify-archive.ts';
import { openClient } from '#server/db/client.ts';
import { migrate } from '#server/db/migrate.ts';
import { CommandError } from './command.ts';
import { restoreRows, withScratchDatabase } from './scratch-database.ts';

interface DrillInput {
  archive: ArchiveReader;
  verified: VerifiedArchive;
  /** Files of the backup, or of the file store for a backup of the database alone. */
  files: FileNames;
  onProgress(text: string): void;
}

/**
 * Restores a verified backup into a temporary database, upgrades and checks it. Changes nothing in
 * the installation.
 * @throws CommandError with the problems found
 */
export async function runDrill({ archive, verified, files, onProgress }: DrillInput): Promise<string> {
  const { manifest, checksums } = verified;
  return withScratchDatabase(async (connectionString) => {
    const rows = await restoreRows({ archive, verified, connectionString, leaveOut: [], onProgress });
    await using client = await openClient(connectionString, 'restore');
    const problems = await findWrongCounts(client, checksums.rows);
    await migrate(connectionString);
    problems.push(...(await findWrongList(client)));
    const missing = countOnlyIn(await filesOfInterviews(client), files);
    if (missing > 0) problems.push(`${missing} files that interviews use are missing.`);
    if (problems.length > 0) throw new CommandError(`The drill found problems:\n${problems.join('\n')}`);
    const fileCount = manifest.withFiles
      ? `${Object.values(files).reduce((sum, { size }) => sum + size, 0)} files`
      : 'no files';
    return `The backup of ${manifest.createdAt} (release ${manifest.productVersion}) can be restored: its signature, checksums, ${rows} rows, list and ${fileCount} were checked. Nothing was changed.`;
  });
}
