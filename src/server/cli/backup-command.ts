import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { makeBackup } from '#server/backup/make-backup.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { pickFileStore } from '#server/compose-adapters.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { findEncryptionKeys, findSessionSecret } from '#server/config/secrets.ts';
import { keyId } from '#server/secrets/sealer.ts';
import { type Command, type CommandContext, CommandError, parseArguments } from './command.ts';
import { openDatabase } from './open-database.ts';

const USAGE = `Usage:
  npm run backup -- FILE [--with-secrets]

Writes the database, videos and thumbnails of one moment to FILE, a tar archive. The server may be
running. API keys are encrypted in it, and the encryption key is not included: store it separately,
or add --with-secrets and keep FILE as secret as the key.
`;

export const backupCommand: Command = { usage: USAGE, run: runBackupCommand };

async function runBackupCommand(args: string[], { environment }: CommandContext): Promise<string> {
  const { values, positionals } = parseArguments(args, { 'with-secrets': { type: 'boolean' } }, ['FILE']);
  const withSecrets = values['with-secrets'] ?? false;
  const path = resolve(positionals[0] ?? '');
  if (existsSync(path))
    throw new CommandError(`${path} already exists. Choose another name: a backup never overwrites a file.`);
  const config = readConfig(environment);
  const opened = await openDatabase(config, { needs: 'current' });
  try {
    const keys = findEncryptionKeys(config);
    const { rows, files, missingFiles, bytes } = await makeBackup(
      {
        connectionString: opened.connectionString,
        files: pickFileStore(config),
        productVersion: await readProductVersion(),
        keyIds: keys.map((key) => keyId(key).toString('hex')),
        secrets: withSecrets ? secretMembers(config, keys) : null,
      },
      path,
    );
    return [
      `Wrote ${path}: ${rows} rows and ${files} files, ${formatBytes(bytes)}.`,
      ...(missingFiles > 0 ? [`Missing files: ${missingFiles}. They are downloaded again when needed.`] : []),
      withSecrets ? 'It includes the secrets: anyone who has it can read everything.' : describeKey(config, keys),
    ].join('\n');
  } catch (error) {
    throw translateWriteError(error, path);
  } finally {
    await opened.close();
  }
}

const secretMembers = (config: Config, keys: readonly Buffer[]): Record<string, string> => {
  const session = findSessionSecret(config);
  return {
    'secrets/encryption-keys': keys.map((key) => key.toString('hex')).join('\n'),
    ...(session && { 'secrets/session-secret': session }),
  };
};

const describeKey = ({ ENCRYPTION_KEY, DATA_DIR }: Config, [key]: readonly Buffer[]): string =>
  key
    ? `The encryption key (${keyId(key).toString('hex')}) is not included: store ${ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : `${DATA_DIR}/encryption-key`} separately.`
    : 'There is no encryption key yet.';

function translateWriteError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new BackupError(`No space left for ${path}. The incomplete file was removed.`);
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOENT')
    return new BackupError(`${path} cannot be written: ${(error as Error).message}`);
  return error;
}

const Package = z.object({ version: z.string() });

async function readProductVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return Package.parse(JSON.parse(text)).version;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** For example `1.4 GB`. */
function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${UNITS[power]}`;
}
