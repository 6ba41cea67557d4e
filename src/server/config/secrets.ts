import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwnerOf } from '../owner-of-folder.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

/** Secrets of this installation: given by variable, or generated once into DATA_DIR with mode 0600. */
export interface Secrets {
  /** As they are now, 32 bytes each: the first one encrypts API keys, all of them decrypt. */
  encryptionKeys: () => readonly Buffer[];
  /** Mixed into the hashes of session tokens, so that a copy of the database alone opens no session. */
  sessionSecret: Buffer;
}

/** Makes DATA_DIR, and in it what is neither given nor there. @throws ConfigError when that cannot be, or what is there is no secret */
export async function readSecrets(config: Config): Promise<Secrets> {
  try {
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
    if (!config.ENCRYPTION_KEY) await keptSecret(config.DATA_DIR, KEY_FILE);
    const session = config.SESSION_SECRET ?? (await keptSecret(config.DATA_DIR, SESSION_FILE));
    return { encryptionKeys: () => findEncryptionKeys(config), sessionSecret: Buffer.from(session, 'utf8') };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([
      `DATA_DIR ${config.DATA_DIR} cannot be used: ${(error as Error).message}. Give this account the folder and room in it, or set DATA_DIR to another.`,
    ]);
  }
}

const KEY_FILE = 'encryption-key';
const SESSION_FILE = 'session-secret';
/** The key that a rotation is sealing everything with; it takes the place of the other when it is done. */
const NEXT_KEY_FILE = 'encryption-key.next';

/** The encryption keys that there are, without making any; the first one seals. */
export function findEncryptionKeys(config: Config): Buffer[] {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS, DATA_DIR } = config;
  const texts = ENCRYPTION_KEY
    ? [ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS]
    : [readKept(DATA_DIR, KEY_FILE), readKept(DATA_DIR, NEXT_KEY_FILE)];
  return texts.flatMap((text) => (text ? [Buffer.from(text, 'hex')] : []));
}

/** The session secret that there is, without making one. */
export const findSessionSecret = (config: Config): string | null =>
  config.SESSION_SECRET ?? readKept(config.DATA_DIR, SESSION_FILE);

/** Puts secrets of a backup in their places, where none are yet. */
export async function placeSecrets(dataDir: string, keys: readonly Buffer[], sessionSecret: string | null) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const [key, next] = keys.map((bytes) => bytes.toString('hex'));
  const files = { [KEY_FILE]: key, [NEXT_KEY_FILE]: next, [SESSION_FILE]: sessionSecret };
  for (const [name, secret] of Object.entries(files))
    if (secret) await writeFile(join(dataDir, name), `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
}

/** @throws ConfigError for a file that was emptied or holds something else: what is sealed with it would be lost, or open to all */
function readKept(dataDir: string, name: string): string | null {
  const path = join(dataDir, name);
  const kept = textOf(path)?.trim() ?? null;
  if (kept === null || isSecret(name, kept)) return kept;
  const what = name === SESSION_FILE ? 'a secret of at least 16 characters' : 'a key of 64 hexadecimal digits';
  const or = name === SESSION_FILE ? 'remove it, and everybody signs in anew' : 'set ENCRYPTION_KEY';
  throw new ConfigError([`${path} does not hold ${what}. Put it back from a copy, or ${or}.`]);
}

const isSecret = (name: string, text: string): boolean =>
  name === SESSION_FILE ? text.length >= 16 : /^[0-9a-f]{64}$/i.test(text);

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Two processes that start together must end with one secret: the file appears whole, and the second one finds the first one's. */
async function keptSecret(dataDir: string, name: string): Promise<string> {
  const kept = readKept(dataDir, name);
  if (kept !== null) return kept;

  const path = join(dataDir, name);
  const draft = `${path}.${process.pid}`;
  const made = randomBytes(32).toString('hex');
  try {
    await writeFile(draft, `${made}\n`, { mode: 0o600, flush: true });
    await giveToOwnerOf(dataDir, draft);
    await link(draft, path).catch(unlessThere);
  } finally {
    await rm(draft, { force: true });
  }
  return readKept(dataDir, name) ?? made;
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** The key that a rotation goes over to, made now or by an earlier one that was killed; it opens what is sealed from now on. */
export function prepareNextKey(dataDir: string): Promise<string> {
  return keptSecret(dataDir, NEXT_KEY_FILE);
}

/**
 * Puts the next key into the place of the current one, which is kept under a name with its id: backups may need it.
 * Resolves with that name.
 */
export async function retireCurrentKey(dataDir: string, id: string): Promise<string> {
  const old = join(dataDir, `${KEY_FILE}.old-${id}`);
  await link(join(dataDir, KEY_FILE), old).catch(unlessThere);
  await rename(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE));
  return old;
}
