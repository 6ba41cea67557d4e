import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decryptWith } from '#server/backup/age.ts';
import { ArchiveReader } from '#server/backup/archive-reader.ts';
import { demandEmpty, demandKnownMigrations } from '#server/backup/demand-empty.ts';
import {
  countOnlyIn,
  type FileNames,
  filesOfArchive,
  filesOfInterviews,
  filesOfStore,
} from '#server/backup/list-files.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { demandAuthentic, type VerifiedArchive, verifyArchive } from '#server/backup/verify-archive.ts';
import { pickFileStore } from '#server/compose-adapters.ts';
import { createEvents } from '#server/compose-events.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { findEncryptionKeys } from '#server/config/secrets.ts';
import { openClient } from '#server/db/client.ts';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { erasureListPath } from '#server/features/erasure/erasure-list.service.ts';
import { countWorkingLinks } from '#server/features/shares/candidate-shares.service.ts';
import { FILE_FOLDERS, FILE_KINDS, type FileStore } from '#server/ports/file-store.ts';
import { RELEASE } from '#server/release.ts';
import { findBackup } from './backup-target.ts';
import { type Command, type CommandContext, parseArguments } from './command.ts';
import { plural } from './export-candidate.ts';
import { configuredOwnerUrl, startForCommand } from './open-database.ts';
import { showProgress } from './progress.ts';
import { runDrill } from './restore-drill.ts';
import { chooseKeys, placeKeys, type RestoredKeys } from './restored-keys.ts';

const USAGE = `Usage:
  npm run restore -- FILE|FOLDER [--key-file KEY_FILE] [--allow-unsigned] [--new-key] [--drill]

Restores a backup into an empty installation: a DATA_DIR without a database, or the empty database
in DATABASE_URL. FOLDER means the newest backup that was written into it. All of the file and its
signature are verified first. The encryption key of the backup must be in place
(DATA_DIR/encryption-key or ENCRYPTION_KEY).

  --drill              Restores into a temporary database, checks it and deletes it. Nothing else is
                       changed. The exit status is 0 if everything is right.
  --key-file KEY_FILE  The secret key of an encrypted backup.
  --allow-unsigned     Accepts a backup that cannot be authenticated: one of an earlier release, one
                       whose encryption key is lost, or one with a key that only the backup itself
                       contains. Use it only for a file that only you could write.
  --new-key            Restores without the encryption key, together with --allow-unsigned: API keys
                       have to be entered again, and erased candidates can come back with a refresh.
`;

/** Tables with values that are encrypted with the encryption key, or useless without them. */
const SEALED_TABLES = ['erasure_key', 'erasure_mark', 'deleted_interview'];

export const restoreCommand: Command = { usage: USAGE, run: runRestoreCommand };

const OPTIONS = {
  drill: { type: 'boolean' },
  'key-file': { type: 'string' },
  'allow-unsigned': { type: 'boolean' },
  'new-key': { type: 'boolean' },
} as const;

async function runRestoreCommand(args: string[], { environment, terminal }: CommandContext): Promise<string> {
  const { values, positionals } = parseArguments(args, OPTIONS, ['FILE']);
  const { 'key-file': keyFile, 'allow-unsigned': allowUnsigned = false, 'new-key': acceptsNewKey = false } = values;
  const config = readConfig(environment);
  const path = await findBackup(positionals[0] ?? '');
  await using archive = await ArchiveReader.open(path, keyFile ? await decryptWith(keyFile) : null);
  using progress = showProgress(terminal);
  const verified = await verifyArchive(archive, progress.report);
  const keys = values.drill ? null : await chooseKeys(config, { archive, verified, acceptsNewKey });
  const trust = { keys: findEncryptionKeys(config), ownKeys: keys?.keys ?? [], allowUnsigned };
  demandAuthentic(archive, verified, trust);
  await demandKnownMigrations(verified.manifest.migrations);
  const plan = { archive, verified, onProgress: progress.report };
  if (!keys) return await runDrill({ ...plan, files: await findFiles(config, verified) });
  if (verified.manifest.withFiles) await demandNoOtherFiles(config, verified);
  return await restoreInto(config, { ...plan, keys });
}

const findFiles = async (config: Config, { manifest, checksums }: VerifiedArchive): Promise<FileNames> =>
  manifest.withFiles ? filesOfArchive(checksums) : filesOfStore(await pickFileStore(config));

/**
 * Files of a restore that was killed are overwritten. Any other file would belong to no interview.
 */
async function demandNoOtherFiles(config: Config, { checksums }: VerifiedArchive): Promise<void> {
  const files = await pickFileStore(config);
  for (const kind of FILE_KINDS) {
    const folder = FILE_FOLDERS[kind];
    for await (const name of files.list(kind))
      if (!checksums.members[`files/${folder}/${name}`]) throw new BackupError(otherFiles(config, folder));
  }
}

const otherFiles = ({ FILE_STORE, DATA_DIR, S3_BUCKET, S3_PREFIX }: Config, folder: string): string =>
  FILE_STORE === 's3'
    ? `The bucket "${S3_BUCKET}" already contains files in ${S3_PREFIX ?? ''}${folder}/. Restore into an empty bucket, or set another S3_PREFIX. Nothing was changed.`
    : `${join(DATA_DIR, 'files', folder)} already contains files. Restore into an empty DATA_DIR. Nothing was changed.`;

interface RestorePlan {
  archive: ArchiveReader;
  verified: VerifiedArchive;
  keys: RestoredKeys;
  onProgress(text: string): void;
}

async function restoreInto(config: Config, { archive, verified, keys, onProgress }: RestorePlan): Promise<string> {
  await using embedded = config.DATABASE_URL ? null : await startForCommand(config.DATA_DIR);
  const connectionString = configuredOwnerUrl(config) ?? embedded?.ownerUrl ?? '';
  const { manifest, checksums } = verified;
  await demandEmpty(connectionString, manifest.migrations);
  await migrate(connectionString, { upTo: manifest.migrations.at(-1) ?? '' });
  const store = await pickFileStore(config);
  const leaveOut = keys.isKeyLost ? SEALED_TABLES : [];
  await placeKeys(config, keys);
  const target = { connectionString, files: manifest.withFiles ? store : null, leaveOut, onProgress };
  const restored = await restoreBackup(archive, verified, target);
  await migrate(connectionString);
  const links = await finishRestore(connectionString, verified);
  const missing = checksums.missingFiles.length;
  return [
    `Restored ${plural(restored.rows, 'row')} and ${plural(restored.files, 'file')} of ${manifest.createdAt} (release ${manifest.productVersion}).`,
    ...(missing > 0 ? [`Files missing in the backup: ${missing}. They are downloaded again when needed.`] : []),
    ...(manifest.withFiles ? [] : [await describeFiles(connectionString, store)]),
    keys.message,
    describeErasures(config),
    ...(links > 0 ? [describeLinks(links)] : []),
    'Everyone has to sign in again. Refreshes and steps that were running end as interrupted and can be started again.',
  ].join('\n');
}

/** Records the restore. Returns the number of links for clients that work. */
async function finishRestore(connectionString: string, { manifest }: VerifiedArchive): Promise<number> {
  const { createdAt, productVersion: release } = manifest;
  await using connection = connect(connectionString, 1, () => {});
  await createEvents().record(connection.db, 'backup.restored', { createdAt, release, restoredBy: RELEASE });
  return await countWorkingLinks(connection.db);
}

/** The names stay in the database, because the files may be restored after it. */
async function describeFiles(connectionString: string, store: FileStore): Promise<string> {
  await using client = await openClient(connectionString, 'restore');
  const missing = countOnlyIn(await filesOfInterviews(client), await filesOfStore(store));
  return missing > 0
    ? `The backup contains no files, and ${missing} that interviews use are missing in the file store. Restore them there.`
    : 'The backup contains no files. All that interviews use are in the file store.';
}

/** The backup cannot contain what was revoked later. */
const describeLinks = (count: number): string =>
  count === 1
    ? '1 link for clients works as it did in the backup, even if it was revoked or replaced since. After the start, revoke it under Links (/links) if it must not open.'
    : `${count} links for clients work as they did in the backup, even if they were revoked or replaced since. After the start, revoke those under Links (/links) that must not open.`;

/** The next start erases again who was erased after the backup, if it has the list. */
function describeErasures({ DATA_DIR }: Config): string {
  const path = erasureListPath(DATA_DIR);
  return existsSync(path)
    ? `Erasures listed in ${path} are repeated at the next start.`
    : `Candidates who were erased after the backup are back. Before the next start, copy the file erasures from the former DATA_DIR to ${path}.`;
}
