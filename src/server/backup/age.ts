import { readFile, writeFile } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { BackupError } from './manifest.ts';

/** Encrypts or decrypts a stream of bytes, with a few chunks in memory. */
export type Transformation = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** The first bytes of a file in age format (https://age-encryption.org/v1). */
export const AGE_MARK = Buffer.from('age-encryption.org/v1\n');

/** Only encrypted backups load the library. */
const loadAge = () => import('age-encryption');

/**
 * Encrypts to each of `recipients`: public keys (`age1…`), or files with keys, one per line.
 * @throws BackupError
 */
export async function encryptTo(recipients: readonly string[]): Promise<Transformation> {
  const { Encrypter, identityToRecipient } = await loadAge();
  const encrypter = new Encrypter();
  for (const given of recipients)
    for (const key of given.startsWith('age1') ? [given] : await readKeys(given))
      try {
        encrypter.addRecipient(key.startsWith('age1') ? key : await identityToRecipient(key));
      } catch {
        throw new BackupError(`--encrypt ${given}: this is neither a public key (age1…) nor a file with valid keys.`);
      }
  return async function* encrypt(bytes) {
    yield* await encrypter.encrypt(streamOf(bytes));
  };
}

/** Decrypts with the secret keys in a file. @throws BackupError */
export async function decryptWith(keyFile: string): Promise<Transformation> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const key of await readKeys(keyFile))
    try {
      decrypter.addIdentity(key);
    } catch {
      throw new BackupError(`${keyFile} must contain secret keys (AGE-SECRET-KEY-1…), one per line.`);
    }
  return async function* decrypt(bytes) {
    yield* await decrypter.decrypt(streamOf(bytes));
  };
}

/** True for the error of a transformation by `decryptWith` that lacks the key. */
export const isOtherKey = (error: unknown): boolean => /^no identity matched/.test((error as Error).message);

/**
 * Writes a new secret key, readable by its owner only. Returns its public key. @throws BackupError
 */
export async function createKeyFile(path: string): Promise<string> {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EEXIST' ? 'it already exists' : error.message;
    throw new BackupError(`${path} cannot be written: ${reason}.`);
  });
  return recipient;
}

/** Comments begin with `#`, as in the files of `age-keygen`. */
async function readKeys(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'the file does not exist' : error.message;
    throw new BackupError(`The key file ${path} cannot be read: ${reason}.`);
  });
  const keys = text.split('\n').flatMap((line) => (/^\s*(?:#|$)/.test(line) ? [] : line.trim()));
  if (keys.length === 0) throw new BackupError(`The key file ${path} contains no key.`);
  return keys;
}

const streamOf = (bytes: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(bytes) as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>;
