import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createKeyFile, encryptTo } from '#server/backup/age.ts';
import { type BackupResult, makeBackup } from '#server/backup/make-backup.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { pickFileStore } from '#server/compose-adapters.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { findEncryptionKeys, findSessionSecret } from '#server/config/secrets.ts';
import { Logs, type NewLogEntry } from '#server/features/logs/logs.service.ts';
import { RELEASE } from '#server/release.ts';
import { keyId } from '#server/secrets/sealer.ts';
import { type Command, type CommandContext, CommandError, parseArguments, UsageError } from './command.ts';
import { openDatabase } from './open-database.ts';

const USAGE = `Usage:
  npm run backup -- FILE [--encrypt KEY]... [--with-secrets]
  npm run backup -- --create-key KEY_FILE

Writes the database, videos and thumbnails of one moment to FILE, a tar archive. The server may be
running. The encryption key signs it and is not included: store it separately, or add --with-secrets
and keep FILE as secret as the key.

  --encrypt KEY     Encrypts FILE in age format. KEY is a public key (age1...) or a file with keys.
                    Without it, FILE contains names, transcripts and videos in plain text.
  --create-key      Writes a new secret key for --encrypt to KEY_FILE and prints its public key.
`;

export const backupCommand: Command = { usage: USAGE, run: runBackupCommand };

const OPTIONS = {
  encrypt: { type: 'string', multiple: true },
  'create-key': { type: 'string' },
  'with-secrets': { type: 'boolean' },
} as const;

async function runBackupCommand(args: string[], { environment }: CommandContext): Promise<string> {
  const { values, positionals } = parseArguments(args, OPTIONS, ['[FILE]']);
  const { encrypt = [], 'create-key': keyFile, 'with-secrets': withSecrets = false } = values;
  if (keyFile !== undefined) return createKey(keyFile, args);
  const [file] = positionals;
  if (file === undefined) throw new UsageError('Missing FILE.');
  const path = resolve(file);
  if (existsSync(path))
    throw new CommandError(`${path} already exists. Choose another name: a backup never overwrites a file.`);
  const encryption = encrypt.length > 0 ? await encryptTo(encrypt) : null;
  const config = readConfig(environment);
  const opened = await openDatabase(config, { needs: 'current' });
  try {
    const keys = demandKeys(config);
    const { connectionString } = opened;
    const store = await pickFileStore(config);
    const source = { connectionString, files: store, productVersion: RELEASE, keys };
    const secrets = withSecrets ? secretMembers(config, keys) : null;
    const result = await makeBackup({ ...source, secrets, encrypt: encryption }, path);
    const { rows, files, bytes } = result;
    const entry = backupEntry({ path, rows, files, bytes, withSecrets, isEncrypted: encryption !== null });
    await new Logs(opened.db, config.LOG_RETENTION_DAYS).write(opened.db, entry);
    return [...describeResult(path, result, encryption !== null), describeSecrets(config, keys, withSecrets)].join(
      '\n',
    );
  } catch (error) {
    throw translateWriteError(error, path);
  } finally {
    await opened.close();
  }
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

const describeResult = (path: string, { rows, files, missingFiles, bytes }: BackupResult, isEncrypted: boolean) => [
  `Wrote ${path}: ${rows} rows and ${files} files, ${formatBytes(bytes)}.`,
  ...(missingFiles > 0 ? [`Missing files: ${missingFiles}. They are downloaded again when needed.`] : []),
  isEncrypted
    ? 'It is encrypted: a restore needs the secret key.'
    : 'It is not encrypted: anyone who has it can read names, transcripts and videos. Add --encrypt to protect it.',
];

const backupEntry = (metadata: { path: string; withSecrets: boolean } & Record<string, unknown>): NewLogEntry => ({
  type: 'system',
  action: 'make-backup',
  status: 'success',
  summary: `A backup ${metadata.withSecrets ? 'with the secrets ' : ''}was made.`,
  metadata,
});

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
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOENT')
    return new BackupError(`${path} cannot be written: ${(error as Error).message}`);
  return error;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** For example `1.4 GB`. */
function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${UNITS[power]}`;
}
