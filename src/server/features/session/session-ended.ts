import type { Executor } from '../../db/database.ts';
import { announce, type LiveBus } from '../../live/bus.ts';
import type { SessionCache } from './session-cache.ts';

const ACCOUNT = 'account:';
const EXPIRED = 'expired';

/** Tells every process that a session has ended, with the transaction that ends it. */
export const announceSessionEnd = (tx: Executor, hash: string) => announce(tx, 'session', hash);

/** The same for sessions that have run out: no process believes those any more, but their sockets are still open. */
export const announceExpiry = (tx: Executor) => announce(tx, 'session', EXPIRED);

/** The same for all sessions of an account. */
export const announceAccountChange = (tx: Executor, accountId: number) =>
  announce(tx, 'session', `${ACCOUNT}${accountId}`);

/** Keeps the cache true to what any process announces; after a break it starts from nothing. */
export function followSessionEnds(bus: LiveBus, cache: SessionCache): void {
  bus.on('session', (id) => {
    if (id.startsWith(ACCOUNT)) cache.dropAccount(Number(id.slice(ACCOUNT.length)));
    else if (id !== EXPIRED) cache.drop(id);
  });
  bus.onGap(() => cache.clear());
}
