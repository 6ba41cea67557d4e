import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BackupRefused } from '../backup/backup-refused.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { pickAdapters } from '../compose-adapters.ts';
import { type Config, readConfig } from '../config/config.ts';
import { findEncryptionKeys, findSessionSecret } from '../config/secrets.ts';
import { keyId } from '../secrets/sealer.ts';
import { inBytes } from './in-bytes.ts';
import { NothingDone } from './nothing-done.ts';
import { openDatabase } from './open-database.ts';
import { productVersion } from './product-version.ts';
import { UsageError } from './usage-error.ts';

export const USAGE = `Usage:
  npm run backup -- FILE [--with-secrets]

Writes database, videos and thumbnails into FILE, a tar archive, as they are at one moment. The product may be running.
API keys are in it encrypted, and the key is not: keep it apart, or add --with-secrets and keep FILE as secret as the key.
`;

/** Answers what to print. @throws UsageError, NothingDone, ConfigError, AppError, EmbeddedPostgresError, FileStoreError */
export async function runBackupCommand(args: string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { file, withSecrets, isHelp } = readArguments(args);
  if (isHelp) return USAGE;
  const path = resolve(file);
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    throw new NothingDone(`${path} exists already. Choose another name; a backup never replaces one.`);
  const config = readConfig(environment);
  const opened = await openDatabase(config, { needs: 'current' });
  try {
    const keys = findEncryptionKeys(config);
    const result = await makeBackup(
      {
        connectionString: opened.connectionString,
        files: pickAdapters(config).files,
        productVersion: await productVersion(),
        keyIds: keys.map((key) => keyId(key).toString('hex')),
        secrets: withSecrets ? secretsOf(config, keys) : null,
      },
      path,
    );
    return [
      `Wrote ${path}: ${result.rows} rows and ${result.files} files, ${inBytes(result.bytes)}.`,
      ...(result.missingFiles > 0
        ? [`Not there any more: ${result.missingFiles} of the files. They are fetched again when they are needed.`]
        : []),
      withSecrets ? 'It holds the secrets: whoever has it can read everything.' : whereTheKeyIs(config, keys),
    ].join('\n');
  } catch (error) {
    throw inWords(error, path);
  } finally {
    await opened.close();
  }
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'with-secrets': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [file = '', ...more] = positionals;
    if (!values.help && (file === '' || more.length > 0)) throw new Error('Say where to: npm run backup -- FILE');
    return { file, withSecrets: values['with-secrets'], isHelp: values.help };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const secretsOf = (config: Config, keys: readonly Buffer[]): Record<string, string> => {
  const session = findSessionSecret(config);
  return {
    'secrets/encryption-keys': keys.map((key) => key.toString('hex')).join('\n'),
    ...(session && { 'secrets/session-secret': session }),
  };
};

const whereTheKeyIs = ({ ENCRYPTION_KEY, DATA_DIR }: Config, [key]: readonly Buffer[]): string =>
  key
    ? `The encryption key (${keyId(key).toString('hex')}) is not in it: keep ${ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : `${DATA_DIR}/encryption-key`} apart.`
    : 'There is no encryption key yet.';

function inWords(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new BackupRefused(`No room is left for ${path}. Nothing was kept of it.`);
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOENT')
    return new BackupRefused(`${path} cannot be written: ${(error as Error).message}`);
  return error;
}
