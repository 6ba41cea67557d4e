import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const HASH = 'sha256';

/** Returns the HMAC of the text under a key derived from the encryption key, in hexadecimal. */
export function sign(encryptionKey: Buffer, text: string): string {
  const key = Buffer.from(hkdfSync(HASH, encryptionKey, '', 'signature of backup checksums', 32));
  return createHmac(HASH, key).update(text).digest('hex');
}

export function isSignedWith(encryptionKey: Buffer, text: string, signature: string): boolean {
  const [expected, given] = [Buffer.from(sign(encryptionKey, text)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
