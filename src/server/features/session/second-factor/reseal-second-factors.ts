import type { Executor } from '../../../db/database.ts';
import type { Sealer } from '../../../secrets/sealer.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';

export interface ResealedFactors {
  count: number;
  /** Names of the accounts whose secret none of the encryption keys opens. */
  unreadable: string[];
}

/** Seals the secret of every second factor anew, in the caller's transaction; what cannot be read stays as it is. */
export async function resealSecondFactors(tx: Executor, sealer: Sealer): Promise<ResealedFactors> {
  const factors = await tx
    .selectFrom('second_factor')
    .innerJoin('account', 'account.id', 'account_id')
    .select(['account_id', 'username', 'secret_sealed', 'pending_sealed'])
    .orderBy('account_id')
    .forUpdate('second_factor')
    .execute();
  const confirmed = factors.filter(({ secret_sealed }) => secret_sealed !== null);
  const unreadable: string[] = [];
  for (const { account_id, username, secret_sealed, pending_sealed } of factors) {
    const again = (sealed: Buffer | null) => {
      const secret = sealed && openSecret(sealer, sealed, account_id);
      return secret === null ? null : sealSecret(sealer, secret, account_id);
    };
    const secret = again(secret_sealed);
    if (secret_sealed && !secret) unreadable.push(username);
    await tx
      .updateTable('second_factor')
      .set({ secret_sealed: secret ?? secret_sealed, pending_sealed: again(pending_sealed) })
      .where('account_id', '=', account_id)
      .execute();
  }
  return { count: confirmed.length - unreadable.length, unreadable };
}
