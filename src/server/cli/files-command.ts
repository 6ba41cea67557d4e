import {
  countOnlyIn,
  type FileName,
  type FileNames,
  filesOfInterviews,
  filesOfStore,
} from '#server/backup/list-files.ts';
import { storeFile } from '#server/backup/restore-backup.ts';
import { openLocalStore, openS3Store } from '#server/compose-adapters.ts';
import { createEvents } from '#server/compose-events.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { writeMovedStore } from '#server/config/moved-store.ts';
import { openClient } from '#server/db/client.ts';
import {
  FILE_FOLDERS,
  FILE_KINDS,
  type FileStore,
  type RemoteFileStore,
  readChunks,
} from '#server/ports/file-store.ts';
import { type Command, type CommandContext, CommandError, parseArguments, UsageError } from './command.ts';
import { plural } from './export-candidate.ts';
import { isServerRunning, openDatabase } from './open-database.ts';

const USAGE = `Usage:
  npm run files -- move --to s3|local

Copies the videos and thumbnails of all interviews to the bucket (S3_BUCKET and the other S3_
variables) or to DATA_DIR/files, compares each copy, and makes the product use it. Stop the product
first. If the command is interrupted, run it again: it continues, and the product still uses the
former store.
`;

export const filesCommand: Command = { usage: USAGE, run: runFilesCommand };

const COPIES_AT_ONCE = 4;

interface Move {
  from: FileStore;
  to: FileStore;
  local: FileStore;
  remote: RemoteFileStore;
}

async function runFilesCommand(args: string[], { environment }: CommandContext): Promise<string> {
  const { values, positionals } = parseArguments(args, { to: { type: 'string' } }, ['move']);
  const { to } = values;
  if (positionals[0] !== 'move') throw new UsageError(`Unknown action "${positionals[0]}".`);
  if (to !== 's3' && to !== 'local') throw new UsageError('--to must be s3 or local.');
  const config = readConfig(environment);
  if (!config.S3_BUCKET) throw new CommandError('Set S3_BUCKET to the name of an existing bucket.');
  const [local, remote] = [openLocalStore(config), await openS3Store(config)];
  const move: Move =
    to === 's3' ? { from: local, to: remote, local, remote } : { from: remote, to: local, local, remote };
  await using opened = await openDatabase(config, { needs: 'current' });
  if (await isServerRunning(opened.connection.pool))
    throw new CommandError('The product is running. Stop it on all machines, then run this again.');
  await move.to.probe();
  await using client = await openClient(opened.connectionString, 'files');
  const used = await filesOfInterviews(client);
  const counts = await copyAll(move, used);
  const unused = countOnlyIn(await filesOfStore(move.to), used);
  await writeMovedStore(config.DATA_DIR, to);
  await createEvents().record(opened.db, 'files.moved', { to, ...counts });
  return describeMove(config, to, { ...counts, unused, isSet: Boolean(environment.FILE_STORE?.trim()) });
}

interface Counts {
  copied: number;
  present: number;
  missing: number;
}

async function copyAll(move: Move, names: FileNames): Promise<Counts> {
  const counts: Counts = { copied: 0, present: 0, missing: 0 };
  const queue = FILE_KINDS.values().flatMap((kind) => names[kind].values().map((name) => ({ kind, name })));
  const work = async () => {
    // The workers share the iterator, which ends for all of them when one fails.
    for (const file of queue) counts[await copyFile(move, file)] += 1;
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, work));
  return counts;
}

async function copyFile(move: Move, file: FileName): Promise<keyof Counts> {
  const { kind, name } = file;
  if (await areEqual(move, file)) return 'present';
  const source = await move.from.open(kind, name);
  if (!source) return (await move.to.stat(kind, name)) ? 'present' : 'missing';
  await storeFile(move.to, file, readChunks(source)).finally(() => source.close());
  if (await areEqual(move, file)) return 'copied';
  throw new CommandError(`The copy of ${FILE_FOLDERS[kind]}/${name} differs from the original. Run this again.`);
}

/** Compares the size and the ETag; a bucket reports them without sending the file. */
async function areEqual({ local, remote }: Move, { kind, name }: FileName): Promise<boolean> {
  const content = await local.open(kind, name);
  if (!content) return false;
  return await remote.hasContent(kind, name, content).finally(() => content.close());
}

function describeMove(
  config: Config,
  to: 's3' | 'local',
  { copied, present, missing, unused, isSet }: Counts & { unused: number; isSet: boolean },
): string {
  const [bucket, folder] = [`the bucket "${config.S3_BUCKET}"`, `${config.DATA_DIR}/files`];
  const [source, target] = to === 's3' ? [folder, bucket] : [bucket, folder];
  return [
    `Moved ${plural(copied + present, 'file')} to ${target}: ${copied} copied, ${present} already there.`,
    ...(missing > 0 ? [`Missing files: ${missing}. They are downloaded again when needed.`] : []),
    ...(unused > 0
      ? [`${plural(unused, 'file')} in ${target} ${unused === 1 ? 'belongs' : 'belong'} to no interview.`]
      : []),
    isSet || config.DATABASE_URL
      ? `Set FILE_STORE=${to} for every process, then start the product.`
      : 'The next start of the product uses it.',
    `The originals in ${source} stay. Delete them when the product works: erasures no longer reach them.`,
  ].join('\n');
}
