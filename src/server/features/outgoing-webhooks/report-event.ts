import { randomUUID } from 'node:crypto';
import type { PublicActor } from '#contracts/public-events.ts';
import type { Executor } from '#server/db/database.ts';
import { currentActor } from '#server/request-context.ts';
import { announceDeliveries } from './announce-deliveries.ts';
import type { PublicEvent } from './public-events.ts';
import { insertDeliveries } from './webhook-deliveries.repo.ts';

/** The current actor without IP and e-mail addresses. */
export function publicActor(): PublicActor {
  const { kind, accountId, name } = currentActor();
  return { kind, id: accountId, name };
}

/**
 * Inserts the deliveries of an event in its transaction, if an active webhook wants it. A worker
 * sends them after the commit.
 */
export async function reportEvent(tx: Executor, { type, items }: PublicEvent): Promise<void> {
  const reported = items.map(({ personal = {}, ...item }) => ({ ...item, personal, eventId: randomUUID() }));
  if (await insertDeliveries(tx, { type, actor: publicActor(), reported })) await announceDeliveries(tx);
}
