import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { lockApiKeys, updateFunnel } from './funnels.repo.ts';

/**
 * Encrypts API keys at rest. The funnel's external id is the context of the encryption, so a sealed
 * key opens for its own funnel only.
 */
export class ApiKeyVault {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  seal(apiKey: string, externalId: string): Buffer {
    return this.#sealer.seal(apiKey, externalId);
  }

  /** @throws AppError when no current encryption key opens it */
  open(sealed: Buffer, externalId: string): string {
    const apiKey = this.#sealer.open(sealed, externalId);
    if (apiKey !== null) return apiKey;
    throw new AppError(
      'conflict',
      "This funnel's API key can't be decrypted. Edit the funnel and enter the key again.",
    );
  }

  /** For lists: one key that cannot be opened does not fail the whole list. */
  openOrEmpty(sealed: Buffer, externalId: string): string {
    return this.#sealer.open(sealed, externalId) ?? '';
  }
}

export interface ResealResult {
  count: number;
  /** Names of the funnels whose key no encryption key opens; it stays as it is. */
  unreadable: string[];
}

/** Encrypts every API key with the current encryption key, in the caller's transaction. */
export async function resealApiKeys(tx: Executor, sealer: Sealer): Promise<ResealResult> {
  const funnels = await lockApiKeys(tx);
  const unreadable: string[] = [];
  for (const { id, name, external_id, api_key_encrypted } of funnels) {
    const resealed = sealer.reseal(api_key_encrypted, external_id);
    if (resealed) await updateFunnel(tx, id, { api_key_encrypted: resealed });
    else unreadable.push(name);
  }
  return { count: funnels.length - unreadable.length, unreadable };
}
