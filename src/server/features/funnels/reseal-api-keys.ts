import type { Executor } from '../../db/database.ts';
import type { Sealer } from '../../secrets/sealer.ts';

export interface Resealed {
  count: number;
  /** Names of the funnels whose key none of the encryption keys opens. */
  unreadable: string[];
}

/** Seals every API key anew with the key that seals now, in the caller's transaction; what cannot be read stays as it is. */
export async function resealApiKeys(tx: Executor, sealer: Sealer): Promise<Resealed> {
  const funnels = await tx
    .selectFrom('funnel')
    .select(['id', 'name', 'external_id', 'api_key_encrypted'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const unreadable: string[] = [];
  for (const { id, name, external_id, api_key_encrypted } of funnels) {
    const apiKey = sealer.open(api_key_encrypted, external_id);
    if (apiKey === null) unreadable.push(name);
    else
      await tx
        .updateTable('funnel')
        .set({ api_key_encrypted: sealer.seal(apiKey, external_id) })
        .where('id', '=', id)
        .execute();
  }
  return { count: funnels.length - unreadable.length, unreadable };
}
