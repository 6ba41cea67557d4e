import { resolve } from 'node:path';
import { createKeyFile, encryptTo, type Transformation } from '#server/backup/age.ts';
import { ArchiveWriter } from '#server/backup/archive-writer.ts';
import { type BackupResult, type BackupSource, makeBackup } from '#server/backup/make-backup.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { formatBytes } from '#server/backup/progress.ts';
import { pickFileStore } from '#server/compose-adapters.ts';
import { createEvents } from '#server/compose-events.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { findEncryptionKeys, findSessionSecret } from '#server/config/secrets.ts';
import { RELEASE } from '#server/release.ts';
import { keyId } from '#server/secrets/sealer.ts';
import { chooseTarget, deleteAbandonedDrafts, deleteOldBackups } from './backup-target.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  parseArguments,
  type Terminal,
  UsageError,
} from './command.ts';
import { plural } from './export-candidate.ts';
import { openDatabase } from './open-database.ts';
import { showProgress } from './progress.ts';

const USAGE = `Usage:
  npm run backup -- FILE|FOLDER|- --encrypt KEY...|--plain [--database-only] [--keep N] [--with-secrets]
  npm run backup -- --create-key KEY_FILE

Writes the database, videos and thumbnails of one moment to FILE, a tar archive; to a new file in
FOLDER; or to standard output (use npm run --silent). The server may be running. The encryption key
signs it and is not included: store it separately, or add --with-secrets and keep FILE as secret as
the key.

  --encrypt KEY     Encrypts it in age format. KEY is a public key (age1...) or a file with keys.
  --plain           Does not encrypt it: it contains names, transcripts and videos in plain text.
  --database-only   Leaves out videos and thumbnails, for example of a bucket that is replicated.
  --keep N          Deletes the oldest backups in FOLDER, so that N are left.
  --create-key      Writes a new secret key for --encrypt to KEY_FILE and prints its public key.
`;

export const backupCommand: Command = { usage: USAGE, run: runBackupCommand };

const OPTIONS = {
  encrypt: { type: 'string', multiple: true },
  plain: { type: 'boolean' },
  'database-only': { type: 'boolean' },
  keep: { type: 'string' },
  'create-key': { type: 'string' },
  'with-secrets': { type: 'boolean' },
} as const;

async function runBackupCommand(args: string[], { environment, terminal }: CommandContext): Promise<string> {
  const { values, positionals } = parseArguments(args, OPTIONS, ['[FILE]']);
  const { encrypt = [], 'create-key': keyFile } = values;
  if (keyFile !== undefined) return createKey(keyFile, args);
  const [given] = positionals;
  if (given === undefined) throw new UsageError('Missing FILE.');
  if (encrypt.length === 0 && !values.plain)
    throw new UsageError(
      'A backup contains names, transcripts and videos. Add --encrypt KEY, or --plain to write it in plain text.',
    );
  if (encrypt.length > 0 && values.plain) throw new UsageError('--plain and --encrypt exclude each other.');
  const keep = readKeep(values.keep);
  const target = await chooseTarget(given, encrypt.length > 0);
  if (keep && !target.folder) throw new UsageError('--keep needs a FOLDER in which backups are written.');
  await deleteAbandonedDrafts(target);
  const plan: BackupPlan = {
    path: target.path,
    name: target.path ?? 'standard output',
    encrypt: encrypt.length > 0 ? await encryptTo(encrypt) : null,
    withSecrets: values['with-secrets'] ?? false,
    withFiles: !values['database-only'],
  };
  const lines = await backUp(readConfig(environment), plan, terminal);
  const deleted = target.folder && keep ? await deleteOldBackups(target.folder, keep) : [];
  const text = [...lines, ...deleted.map((name) => `Deleted ${name}.`)].join('\n');
  if (target.path !== null) return text;
  terminal.output.write(`${text}\n`);
  return '';
}

function readKeep(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--keep must be a number of backups, at least 1.');
  return Number(text);
}

interface BackupPlan {
  /** Null for standard output. */
  path: string | null;
  /** For messages and System Logs. */
  name: string;
  encrypt: Transformation | null;
  withSecrets: boolean;
  withFiles: boolean;
}

/** Returns the lines for the administrator. */
async function backUp(config: Config, plan: BackupPlan, terminal: Terminal): Promise<string[]> {
  const { path, name, encrypt, withSecrets, withFiles } = plan;
  await using opened = await openDatabase(config, { needs: 'current' });
  using progress = showProgress(terminal);
  const keys = demandKeys(config);
  const source: BackupSource = {
    connectionString: opened.connectionString,
    files: withFiles ? await pickFileStore(config) : null,
    productVersion: RELEASE,
    keys,
    secrets: withSecrets ? secretMembers(config, keys) : null,
    onProgress: progress.report,
  };
  const writing = ArchiveWriter.create(path, encrypt).then((archive) => makeBackup(source, archive));
  const result = await writing.catch((error) => Promise.reject(translateWriteError(error, name)));
  const { rows, files, bytes } = result;
  const made = { path: name, rows, files, bytes, withSecrets, withFiles, isEncrypted: encrypt !== null };
  await createEvents().record(opened.db, 'backup.made', made);
  return [...describeResult(plan, result), describeSecrets(config, keys, withSecrets)];
}

async function createKey(keyFile: string, args: readonly string[]): Promise<string> {
  if (args.length > 2) throw new UsageError('--create-key cannot be combined with other arguments.');
  const publicKey = await createKeyFile(resolve(keyFile));
  return `Wrote ${resolve(keyFile)}. Move it off this machine: a restore needs it, a backup only its public key:\n${publicKey}`;
}

/** The key signs the backup. A started installation has one. */
function demandKeys(config: Config): readonly [Buffer, ...Buffer[]] {
  const [key, ...others] = findEncryptionKeys(config);
  if (key) return [key, ...others];
  throw new CommandError(
    `There is no encryption key in ${config.DATA_DIR}, so the backup could not be signed. Set DATA_DIR or ENCRYPTION_KEY as for the server, or start the server once.`,
  );
}

const describeResult = (
  { name, encrypt, withFiles }: BackupPlan,
  { rows, files, missingFiles, bytes }: BackupResult,
) => [
  `Wrote ${name}: ${plural(rows, 'row')} and ${withFiles ? plural(files, 'file') : 'no files'}, ${formatBytes(bytes)}.`,
  ...(missingFiles > 0 ? [`Missing files: ${missingFiles}. They are downloaded again when needed.`] : []),
  encrypt
    ? 'It is encrypted: a restore needs the secret key.'
    : 'It is not encrypted: anyone who has it can read names, transcripts and videos. Encrypt it with --encrypt where others can read it.',
];

const secretMembers = (config: Config, keys: readonly Buffer[]): Record<string, string> => {
  const session = findSessionSecret(config);
  return {
    'secrets/encryption-keys': keys.map((key) => key.toString('hex')).join('\n'),
    ...(session && { 'secrets/session-secret': session }),
  };
};

const describeSecrets = (
  { ENCRYPTION_KEY, DATA_DIR }: Config,
  [key]: readonly [Buffer, ...Buffer[]],
  withSecrets: boolean,
): string =>
  withSecrets
    ? 'It includes the secrets: anyone who has it can read everything and sign changes to it.'
    : `The encryption key (${keyId(key).toString('hex')}) is not included: store ${ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : `${DATA_DIR}/encryption-key`} separately.`;

function translateWriteError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new BackupError(`No space left for ${path}. The incomplete file was removed.`);
  if (code === 'EPIPE')
    return new BackupError('The program that read the backup has ended, so the backup is incomplete. Delete it.');
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOENT')
    return new BackupError(`${path} cannot be written: ${(error as Error).message}`);
  return error;
}
