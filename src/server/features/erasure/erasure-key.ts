import { createHmac, hkdfSync } from 'node:crypto';
import { comparableEmail } from '#server/comparable-email.ts';
import { Sealer } from '#server/secrets/sealer.ts';

/**
 * The key of an installation's erasures. Its marks are keyed hashes of ids and emails. What it
 * seals needs no new encryption when the encryption key is rotated: only this key is sealed again.
 */
export class ErasureKey {
  readonly bytes: Buffer;
  readonly sealer: Sealer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const derived = Buffer.from(hkdfSync('sha256', bytes, '', 'deleted interviews', 32));
    this.sealer = new Sealer(() => [derived]);
  }

  markOfId(interviewId: string): Buffer {
    return this.#mark('interview', interviewId);
  }

  markOfEmail(email: string): Buffer {
    return this.#mark('email', comparableEmail(email));
  }

  /** Replaces the id of an erased interview; always the same one for an id. */
  pseudonymOf(interviewId: string): string {
    return `erased-${this.markOfId(interviewId).toString('hex').slice(0, 12)}`;
  }

  #mark(kind: string, text: string): Buffer {
    return createHmac('sha256', this.bytes).update(`${kind}\n${text}`).digest();
  }
}
