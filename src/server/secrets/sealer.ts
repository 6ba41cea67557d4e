import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The encryption keys as they are now, 32 bytes each: the first one seals, all of them open. A rotation changes them while we run. */
export type EncryptionKeys = () => readonly Buffer[];

const IV_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 4;
/** Begins what carries the id of its key. What was sealed before that was so begins with a random nonce. */
const MARK = Buffer.from('vim1');

/** Tells keys apart without telling anything about them. */
export const keyId = (key: Buffer): Buffer =>
  createHash('sha256').update('encryption key id\n').update(key).digest().subarray(0, ID_BYTES);

/**
 * Secrets at rest: AES-256-GCM with a fresh 96-bit nonce each (NIST SP 800-38D), stored as mark, id of the key, nonce, tag, ciphertext.
 * The context is authenticated with it, so what was sealed for one place opens in no other.
 */
export class Sealer {
  readonly #keys: EncryptionKeys;
  /** Read at the first use and whenever none of them fits: opening is frequent, and rotations are not. */
  #known: readonly Buffer[] = [];

  constructor(keys: EncryptionKeys) {
    this.#keys = keys;
  }

  /** Hold the rotation off (`holdRotation`) until what is sealed is stored, or it may be sealed with a key that is just being retired. */
  seal(text: string, context: string): Buffer {
    const [key] = this.#keys();
    if (!key) throw new Error('There is no encryption key');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([MARK, keyId(key), iv, cipher.getAuthTag(), sealed]);
  }

  /** Null when none of the keys opens it, or it was sealed for another context. */
  open(sealed: Buffer, context: string): string | null {
    const opened = openWithAny(this.#known, sealed, context);
    if (opened !== null) return opened;
    this.#known = this.#keys();
    return openWithAny(this.#known, sealed, context);
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
