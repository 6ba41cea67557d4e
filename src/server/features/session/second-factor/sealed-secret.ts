import type { Sealer } from '../../../secrets/sealer.ts';

/** What was sealed for one account opens for no other. */
const contextOf = (accountId: number) => `second factor\n${accountId}`;

export const sealSecret = (sealer: Sealer, secret: string, accountId: number): Buffer =>
  sealer.seal(secret, contextOf(accountId));

/** Null when none of the encryption keys opens it. */
export const openSecret = (sealer: Sealer, sealed: Buffer, accountId: number): string | null =>
  sealer.open(sealed, contextOf(accountId));
