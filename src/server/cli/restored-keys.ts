import type { ArchiveReader } from '#server/backup/archive-reader.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { type VerifiedArchive, verifiedMembers } from '#server/backup/verify-archive.ts';
import type { Config } from '#server/config/config.ts';
import { findEncryptionKeys, findSessionSecret, placeSecrets } from '#server/config/secrets.ts';
import { keyId } from '#server/secrets/sealer.ts';

export interface RestoredKeys {
  /** Written to their files in DATA_DIR. */
  keys: readonly Buffer[];
  sessionSecret: string | null;
  /** The key of the backup is not available, so what it encrypted cannot be used. */
  isKeyLost: boolean;
  /** For the administrator. */
  message: string;
}

const IN_PLACE: RestoredKeys = {
  keys: [],
  sessionSecret: null,
  isKeyLost: false,
  message: 'Its API keys can be decrypted with the encryption key of this installation.',
};

interface ChooseKeysInput {
  archive: ArchiveReader;
  verified: VerifiedArchive;
  acceptsNewKey: boolean;
}

/**
 * Decides which keys the restored installation uses.
 * @throws BackupError when encrypted values could not be read
 */
export async function chooseKeys(
  config: Config,
  { archive, verified, acceptsNewKey }: ChooseKeysInput,
): Promise<RestoredKeys> {
  const { keyIds, withSecrets } = verified.manifest;
  const here = findEncryptionKeys(config).map((key) => keyId(key).toString('hex'));
  if (keyIds.every((id) => here.includes(id))) return IN_PLACE;
  if (acceptsNewKey)
    return {
      ...IN_PLACE,
      isKeyLost: true,
      message:
        'Enter the API keys of all funnels again. Erased candidates can come back with a refresh. Second factors accept only recovery codes until they are set up again.',
    };
  if (here.length > 0)
    throw new BackupError(
      `The encryption key here (${here[0]}) is not the key of the backup (${keyIds[0]}). Replace it, or add --new-key and --allow-unsigned to restore without that key. Nothing was changed.`,
    );
  if (withSecrets)
    return {
      ...(await readArchivedSecrets(archive, verified)),
      isKeyLost: false,
      message: 'Its secrets are in place. No other source confirmed that they are yours.',
    };
  throw new BackupError(
    `The encryption key of the backup (${keyIds[0]}) is missing. Put it into ${config.DATA_DIR}/encryption-key, set ENCRYPTION_KEY, or add --new-key and --allow-unsigned to restore without it. Nothing was changed.`,
  );
}

/** Call before the rows are restored: otherwise the next start would generate other keys. */
export async function placeKeys(config: Config, { keys, sessionSecret }: RestoredKeys): Promise<void> {
  await placeSecrets(config.DATA_DIR, keys, findSessionSecret(config) === null ? sessionSecret : null);
}

async function readArchivedSecrets(
  archive: ArchiveReader,
  verified: VerifiedArchive,
): Promise<Pick<RestoredKeys, 'keys' | 'sessionSecret'>> {
  let keys: Buffer[] = [];
  let sessionSecret: string | null = null;
  for await (const member of verifiedMembers(archive, verified)) {
    if (member.name === 'secrets/encryption-keys')
      keys = (await member.text()).split('\n').map((hex) => Buffer.from(hex, 'hex'));
    if (member.name === 'secrets/session-secret') sessionSecret = await member.text();
  }
  return { keys, sessionSecret };
}
