import type { ArchiveReader } from '../backup/archive-reader.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import type { Verified } from '../backup/verify-archive.ts';
import type { Config } from '../config/config.ts';
import { findEncryptionKeys, findSessionSecret, placeSecrets } from '../config/secrets.ts';
import { keyId } from '../secrets/sealer.ts';

export interface RestoredKeys {
  /** To be put in their places. */
  keys: readonly Buffer[];
  sessionSecret: string | null;
  /** The backup's own keys are not there: what they sealed is of no use. */
  areNew: boolean;
  said: string;
}

const HERE: RestoredKeys = {
  keys: [],
  sessionSecret: null,
  areNew: false,
  said: 'Its API keys can be read with the encryption key here.',
};

interface Asked {
  archive: ArchiveReader;
  verified: Verified;
  /** The person does without the backup's key. */
  newKey: boolean;
}

/** Which keys the restored installation will have. @throws BackupRefused when what is sealed could not be opened */
export async function sortOutKeys(config: Config, { archive, verified, newKey }: Asked): Promise<RestoredKeys> {
  const { keyIds, withSecrets } = verified.manifest;
  const here = findEncryptionKeys(config).map((key) => keyId(key).toString('hex'));
  if (keyIds.every((id) => here.includes(id))) return HERE;
  if (newKey)
    return {
      ...HERE,
      areNew: true,
      said: 'The API keys of all funnels have to be entered again, erased candidates are no longer kept out, and second factors take recovery codes only until they are set up anew.',
    };
  if (here.length > 0)
    throw new BackupRefused(
      `The encryption key here (${here[0]}) is not the one of the backup (${keyIds[0]}). Put that one in its place, or add --new-key to do without. Nothing was changed.`,
    );
  if (withSecrets)
    return { ...(await readSecretsOf(archive)), areNew: false, said: 'Its secrets are in their places.' };
  throw new BackupRefused(
    `The encryption key of the backup (${keyIds[0]}) is missing: put it into ${config.DATA_DIR}/encryption-key, or set ENCRYPTION_KEY. Add --new-key to do without. Nothing was changed.`,
  );
}

/** Before the rows: without them, the next start would make others. A restore that is run again finds them here. */
export async function placeKeys(config: Config, { keys, sessionSecret }: RestoredKeys): Promise<void> {
  await placeSecrets(config.DATA_DIR, keys, findSessionSecret(config) === null ? sessionSecret : null);
}

async function readSecretsOf(archive: ArchiveReader): Promise<Pick<RestoredKeys, 'keys' | 'sessionSecret'>> {
  let keys: Buffer[] = [];
  let sessionSecret: string | null = null;
  for await (const member of archive.members()) {
    if (member.name === 'secrets/encryption-keys')
      keys = (await member.text()).split('\n').map((hex) => Buffer.from(hex, 'hex'));
    if (member.name === 'secrets/session-secret') sessionSecret = await member.text();
  }
  return { keys, sessionSecret };
}
