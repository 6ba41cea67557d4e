import { randomBytes } from 'node:crypto';
import type { Executor } from '#server/db/database.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { lockAllWebhooks, type OutgoingWebhookRow, updateWebhook } from './outgoing-webhooks.repo.ts';

const SECRET_BYTES = 32;
/** The prefix of symmetric secrets in Standard Webhooks. */
const PREFIX = 'whsec_';

/** Bind sealed values to their kind, so that a URL cannot be used as a secret. */
export const URL_CONTEXT = 'outgoing webhook address';
export const SECRET_CONTEXT = 'outgoing webhook secret';

export const createSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * Returns the secrets that sign a delivery: the current one, and for a day the former one. Null if
 * no encryption key decrypts the current one.
 */
export function findSecrets(sealer: Sealer, row: OutgoingWebhookRow, now: number): [string, ...string[]] | null {
  const { secret_sealed, former_secret_sealed: formerSealed, former_secret_until: until } = row;
  const current = sealer.open(secret_sealed, SECRET_CONTEXT);
  if (current === null) return null;
  const former = formerSealed && until && until.getTime() > now ? sealer.open(formerSealed, SECRET_CONTEXT) : null;
  return former === null ? [current] : [current, former];
}

/** Encrypts all values with the current key. Values that no key decrypts are left unchanged. */
export async function resealOutgoingWebhooks(tx: Executor, sealer: Sealer): Promise<void> {
  for (const { id, url_sealed, secret_sealed, former_secret_sealed } of await lockAllWebhooks(tx)) {
    const reseal = (sealed: Buffer, context: string) => sealer.reseal(sealed, context) ?? sealed;
    await updateWebhook(tx, id, {
      url_sealed: reseal(url_sealed, URL_CONTEXT),
      secret_sealed: reseal(secret_sealed, SECRET_CONTEXT),
      former_secret_sealed: former_secret_sealed && reseal(former_secret_sealed, SECRET_CONTEXT),
    });
  }
}
