import pg from 'pg';
import type { ArchiveReader } from '#server/backup/archive-reader.ts';
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

/** Returns a message for each table that lacks rows of the backup. */
async function findWrongCounts(client: pg.Client, expected: Readonly<Record<string, number>>): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, count] of Object.entries(expected)) {
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${pg.escapeIdentifier(name)}`);
    if (rows[0]?.n !== count) problems.push(`Table ${name} has ${rows[0]?.n} of ${count} rows.`);
  }
  return problems;
}

/** Each interview must be in the list as it is, and the counts of the days add up to them. */
async function findWrongList(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ interviews: number; listed: number; counted: number }>(
    `SELECT (SELECT count(*) FROM interview)::int AS interviews,
       (SELECT count(*) FROM interview AS i JOIN listing AS l
          ON (l.interview_id, l.funnel_id, l.recorded_at, l.facts, l.archived) = (i.id, i.funnel_id, i.recorded_at, i.facts, i.archived_at IS NOT NULL))::int AS listed,
       (SELECT coalesce(sum(n), 0) FROM listing_count)::int AS counted`,
  );
  const { interviews = 0, listed, counted } = rows[0] ?? {};
  return listed === interviews && counted === interviews
    ? []
    : [`The list has ${listed} and counts ${counted} of ${interviews} interviews.`];
}
