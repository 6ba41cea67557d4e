import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Returns the current encryption keys, 32 bytes each: the first one encrypts, all of them decrypt.
 * A rotation changes them at run time.
 */
export type EncryptionKeys = () => readonly Buffer[];

const IV_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 4;
/** Prefix of values with a key id. Earlier values start with a random nonce. */
const MARK = Buffer.from('vim1');

/** Identifies a key without revealing it. */
export const keyId = (key: Buffer): Buffer =>
  createHash('sha256').update('encryption key id\n').update(key).digest().subarray(0, ID_BYTES);

/**
 * Encrypts secrets at rest: AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D), stored as
 * mark, key id, nonce, tag and ciphertext. The context is authenticated, so a value decrypts only
 * in the context that it was encrypted for.
 */
export class Sealer {
  readonly #keys: EncryptionKeys;
  /**
   * Cached: read again only when none of the keys decrypts a value, for example after a rotation.
   */
  #known: readonly Buffer[] = [];

  constructor(keys: EncryptionKeys) {
    this.#keys = keys;
  }

  /**
   * Call `lockKeyRotation` first, in the transaction that stores the value: otherwise the key may
   * be retired before.
   */
  seal(text: string, context: string): Buffer {
    const [key] = this.#keys();
    if (!key) throw new Error('No encryption key is available');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([MARK, keyId(key), iv, cipher.getAuthTag(), sealed]);
  }

  /** Returns null when no key decrypts it, or when it was encrypted for another context. */
  open(sealed: Buffer, context: string): string | null {
    const opened = openWithAny(this.#known, sealed, context);
    if (opened !== null) return opened;
    this.#known = this.#keys();
    return openWithAny(this.#known, sealed, context);
  }

  /** Encrypts the value with the current key. Returns null when no key decrypts it. */
  reseal(sealed: Buffer, context: string): Buffer | null {
    const text = this.open(sealed, context);
    return text === null ? null : this.seal(text, context);
  }
}

function openWithAny(keys: readonly Buffer[], sealed: Buffer, context: string): string | null {
  for (const key of keys) {
    const isMarked = sealed.subarray(0, MARK.length + ID_BYTES).equals(Buffer.concat([MARK, keyId(key)]));
    const text = openWith(key, isMarked ? sealed.subarray(MARK.length + ID_BYTES) : sealed, context);
    if (text !== null) return text;
  }
  return null;
}

function openWith(key: Buffer, sealed: Buffer, context: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
