import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '../../app-error.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * API keys at rest: AES-256-GCM with a fresh 96-bit nonce each (NIST SP 800-38D), stored as nonce, tag, ciphertext. The funnel's
 * external id is authenticated with it, so a stored key opens only its own funnel.
 */
export class ApiKeyVault {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  seal(apiKey: string, externalId: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(externalId));
    const sealed = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws AppError when the key was sealed with another ENCRYPTION_KEY. */
  open(sealed: Buffer, externalId: string): string {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(externalId));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new AppError(
        'conflict',
        'The API key of this funnel cannot be read with the current ENCRYPTION_KEY. Enter it again.',
        { cause },
      );
    }
  }

  /** For lists: a key that cannot be read is shown empty, to be entered again, and does not take the whole list down. */
  openOrEmpty(sealed: Buffer, externalId: string): string {
    try {
      return this.open(sealed, externalId);
    } catch {
      return '';
    }
  }
}
