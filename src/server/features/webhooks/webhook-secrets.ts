import { createHash, randomBytes } from 'node:crypto';
import type { Executor } from '#server/db/database.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { lockWebhooks, updateSealed } from './webhook.repo.ts';

const SECRET_BYTES = 32;

/** Binds a sealed secret to its funnel, so that it cannot be opened for another one. */
export const contextOf = (funnelId: number, kind: 'address' | 'signing') => `webhook ${kind}\n${funnelId}`;

export const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export const hashOf = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/**
 * Encrypts all secrets with the current encryption key. Secrets that no key opens stay as they are:
 * their URLs work, and staff can replace them.
 */
export async function resealWebhooks(tx: Executor, sealer: Sealer): Promise<void> {
  for (const { funnel_id: funnelId, secret_sealed, signing_sealed } of await lockWebhooks(tx)) {
    await updateSealed(tx, funnelId, {
      secret_sealed: sealer.reseal(secret_sealed, contextOf(funnelId, 'address')) ?? secret_sealed,
      signing_sealed:
        signing_sealed && (sealer.reseal(signing_sealed, contextOf(funnelId, 'signing')) ?? signing_sealed),
    });
  }
}
