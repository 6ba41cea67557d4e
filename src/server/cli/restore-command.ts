import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ArchiveReader } from '../backup/archive-reader.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import { demandEmpty, demandKnownMigrations } from '../backup/demand-empty.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { type Verified, verifyArchive } from '../backup/verify-archive.ts';
import { pickAdapters } from '../compose-adapters.ts';
import { type Config, readConfig } from '../config/config.ts';
import { migrate } from '../db/migrate.ts';
import { FILE_FOLDERS } from '../ports/file-store.ts';
import { startForCommand } from './open-database.ts';
import { placeKeys, type RestoredKeys, sortOutKeys } from './restored-keys.ts';
import { UsageError } from './usage-error.ts';

export const USAGE = `Usage:
  npm run restore -- FILE [--new-key]

Puts what a backup holds into an empty installation: DATA_DIR without a database, or the empty database that DATABASE_URL names. The
whole of FILE is verified first. The encryption key of the backup has to be in its place (DATA_DIR/encryption-key or ENCRYPTION_KEY),
unless the backup was made --with-secrets. --new-key does without: API keys have to be entered again then, and erased candidates
are no longer kept from coming back.
`;

/** Sealed with the encryption key, or of no use without what is. */
const SEALED = ['erasure_key', 'erasure_mark'];

/** Answers what to print. @throws UsageError, BackupRefused, ConfigError, EmbeddedPostgresError, FileStoreError */
export async function runRestoreCommand(args: string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { file, newKey, isHelp } = readArguments(args);
  if (isHelp) return USAGE;
  const config = readConfig(environment);
  const archive = await ArchiveReader.open(file);
  try {
    const verified = await verifyArchive(archive);
    await demandKnownMigrations(verified.manifest.migrations);
    await demandNoOtherFiles(config, verified);
    const keys = await sortOutKeys(config, { archive, verified, newKey });
    return await restoreInto(config, { archive, verified, keys });
  } finally {
    await archive.close();
  }
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'new-key': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [file = '', ...more] = positionals;
    if (!values.help && (file === '' || more.length > 0)) throw new Error('Say what from: npm run restore -- FILE');
    return { file, newKey: values['new-key'], isHelp: values.help };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Files of a restore that was killed are written again; any other would be nobody's. */
async function demandNoOtherFiles({ DATA_DIR }: Config, { checksums }: Verified): Promise<void> {
  for (const folder of Object.values(FILE_FOLDERS)) {
    const path = join(DATA_DIR, 'files', folder);
    const names = await readdir(path).catch(() => []);
    if (names.some((name) => !checksums.members[`files/${folder}/${name}`]))
      throw new BackupRefused(`${path} has files already. Restore into an empty DATA_DIR. Nothing was changed.`);
  }
}

async function restoreInto(
  config: Config,
  { archive, verified, keys }: { archive: ArchiveReader; verified: Verified; keys: RestoredKeys },
): Promise<string> {
  const embedded = config.DATABASE_URL ? null : await startForCommand(config.DATA_DIR);
  try {
    const connectionString = config.DATABASE_URL ?? embedded?.connectionString ?? '';
    const { manifest } = verified;
    await demandEmpty(connectionString, manifest.migrations);
    await migrate(connectionString, { upTo: manifest.migrations.at(-1) ?? '' });
    const { files } = pickAdapters(config);
    const leaveOut = keys.areNew ? SEALED : [];
    await placeKeys(config, keys);
    const restored = await restoreBackup(archive, verified, { connectionString, files, leaveOut });
    await migrate(connectionString);
    return [
      `Restored ${restored.rows} rows and ${restored.files} files of ${manifest.createdAt} (release ${manifest.productVersion}).`,
      ...(verified.checksums.missingFiles.length > 0
        ? [
            `Missing in the backup: ${verified.checksums.missingFiles.length} of the files. They are fetched again when they are needed.`,
          ]
        : []),
      keys.said,
      'Everybody signs in anew. Refreshes and steps that were under way then end as interrupted and can be started again.',
    ].join('\n');
  } finally {
    await embedded?.stop();
  }
}
