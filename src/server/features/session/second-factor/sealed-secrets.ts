import type { Executor } from '#server/db/database.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { lockSealedSecrets, updateFactor } from './second-factor.repo.ts';

/** Binds a sealed secret to its account: it cannot be opened for another one. */
const contextOf = (accountId: number) => `second factor\n${accountId}`;

export const sealSecret = (sealer: Sealer, secret: string, accountId: number): Buffer =>
  sealer.seal(secret, contextOf(accountId));

/** Returns null when none of the encryption keys opens it. */
export const openSecret = (sealer: Sealer, sealed: Buffer, accountId: number): string | null =>
  sealer.open(sealed, contextOf(accountId));

export interface ResealedFactors {
  count: number;
  /** Usernames of the accounts whose secret none of the encryption keys opens. */
  unreadable: string[];
}

/**
 * Seals all secrets with the current key. Unreadable confirmed secrets stay as they are;
 * unreadable pending ones are removed.
 */
export async function resealSecondFactors(tx: Executor, sealer: Sealer): Promise<ResealedFactors> {
  const factors = await lockSealedSecrets(tx);
  const unreadable: string[] = [];
  for (const { account_id, username, secret_sealed, pending_sealed } of factors) {
    const reseal = (sealed: Buffer | null) => sealed && sealer.reseal(sealed, contextOf(account_id));
    const secret = reseal(secret_sealed);
    if (secret_sealed && !secret) unreadable.push(username);
    await updateFactor(tx, account_id, {
      secret_sealed: secret ?? secret_sealed,
      pending_sealed: reseal(pending_sealed),
    });
  }
  const confirmed = factors.filter(({ secret_sealed }) => secret_sealed !== null);
  return { count: confirmed.length - unreadable.length, unreadable };
}
