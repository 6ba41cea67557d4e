import type { Executor } from '#server/db/database.ts';
import { announce } from '#server/live/announce.ts';

/** Wakes the workers after the commit. */
export const announceDeliveries = (tx: Executor): Promise<void> => announce(tx, 'webhook-deliveries', 'new');
