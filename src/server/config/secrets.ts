import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#server/make-folder.ts';
import { giveToOwnerOf } from '#server/owner-of-folder.ts';
import { type Config, ConfigError } from './config.ts';

/**
 * The secrets of this installation: set by variables, or generated once into DATA_DIR with mode
 * 0600.
 */
export interface Secrets {
  /** The current keys, 32 bytes each: the first one encrypts, all of them decrypt. */
  encryptionKeys: () => readonly Buffer[];
  /**
   * Mixed into the hashes of session tokens, so that a copy of the database alone opens no session.
   */
  sessionSecret: Buffer;
}

const KEY_FILE = 'encryption-key';
const SESSION_FILE = 'session-secret';
/** The key that a rotation in progress encrypts with. It replaces the current key at the end. */
const NEXT_KEY_FILE = 'encryption-key.next';

/** Creates DATA_DIR, and generates the secrets that are missing. @throws ConfigError */
export async function readSecrets(config: Config): Promise<Secrets> {
  try {
    await makeFolder(config.DATA_DIR);
    if (!config.ENCRYPTION_KEY) await readOrGenerate(config.DATA_DIR, KEY_FILE);
    const session = config.SESSION_SECRET ?? (await readOrGenerate(config.DATA_DIR, SESSION_FILE));
    return { encryptionKeys: () => findEncryptionKeys(config), sessionSecret: Buffer.from(session, 'utf8') };
  } catch (error) {
    throw unusable(config.DATA_DIR, error);
  }
}

const unusable = (dataDir: string, error: unknown): ConfigError =>
  error instanceof ConfigError
    ? error
    : new ConfigError([
        `DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}. Give this account access and free space, or set DATA_DIR to another folder.`,
      ]);

/** Returns the existing encryption keys; the first one encrypts. Generates none. */
export function findEncryptionKeys(config: Config): Buffer[] {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS, DATA_DIR } = config;
  const texts = ENCRYPTION_KEY
    ? [ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS]
    : [readSecretFile(DATA_DIR, KEY_FILE), readSecretFile(DATA_DIR, NEXT_KEY_FILE)];
  return texts.flatMap((text) => (text ? [Buffer.from(text, 'hex')] : []));
}

/** Returns the existing session secret. Generates none. */
export const findSessionSecret = (config: Config): string | null =>
  config.SESSION_SECRET ?? readSecretFile(config.DATA_DIR, SESSION_FILE);

/** Writes the secrets of a backup. @throws when one of the files exists */
export async function placeSecrets(dataDir: string, keys: readonly Buffer[], sessionSecret: string | null) {
  await makeFolder(dataDir);
  const [key, next] = keys.map((bytes) => bytes.toString('hex'));
  const files = { [KEY_FILE]: key, [NEXT_KEY_FILE]: next, [SESSION_FILE]: sessionSecret };
  for (const [name, secret] of Object.entries(files))
    if (secret) await writeFile(join(dataDir, name), `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
}

/**
 * @throws ConfigError for an invalid file: generating another secret would make encrypted values
 * unreadable
 */
function readSecretFile(dataDir: string, name: string): string | null {
  const path = join(dataDir, name);
  const secret = readText(path)?.trim() ?? null;
  if (secret === null || isSecret(name, secret)) return secret;
  const expected = name === SESSION_FILE ? 'a secret of at least 16 characters' : 'a key of 64 hexadecimal digits';
  const alternative = name === SESSION_FILE ? 'delete it, which signs everyone out' : 'set ENCRYPTION_KEY';
  throw new ConfigError([`${path} does not contain ${expected}. Restore it from a copy, or ${alternative}.`]);
}

const isSecret = (name: string, text: string): boolean =>
  name === SESSION_FILE ? text.length >= 16 : /^[0-9a-f]{64}$/i.test(text);

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Linked when complete, so that two processes that start together end with the same secret. */
async function readOrGenerate(dataDir: string, name: string): Promise<string> {
  const existing = readSecretFile(dataDir, name);
  if (existing !== null) return existing;

  const path = join(dataDir, name);
  const draft = `${path}.${randomUUID()}`;
  const generated = randomBytes(32).toString('hex');
  try {
    await writeFile(draft, `${generated}\n`, { mode: 0o600, flush: true });
    await giveToOwnerOf(dataDir, draft);
    await link(draft, path).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
  return readSecretFile(dataDir, name) ?? generated;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/**
 * Returns the key to rotate to: a new one, or the one of an earlier rotation that was killed. It
 * decrypts from now on.
 */
export async function prepareNextKey(dataDir: string): Promise<string> {
  return await readOrGenerate(dataDir, NEXT_KEY_FILE).catch((error) => Promise.reject(unusable(dataDir, error)));
}

/**
 * Replaces the current key by the next one. The former key is kept in a file with its id, because
 * backups may need it. Returns the path of that file.
 */
export async function retireCurrentKey(dataDir: string, id: string): Promise<string> {
  const old = join(dataDir, `${KEY_FILE}.old-${id}`);
  await link(join(dataDir, KEY_FILE), old).catch(ignoreExisting);
  await rename(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE));
  return old;
}
