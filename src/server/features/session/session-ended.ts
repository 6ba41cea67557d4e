import type { Executor } from '../../db/database.ts';
import { announce, type LiveBus } from '../../live/bus.ts';
import type { EndedSessions } from '../../live/sockets.ts';
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

/** Calls the listener when any process announces that sessions have ended. */
export function onSessionEnd(bus: LiveBus, listener: (ended: EndedSessions) => void): void {
  bus.on('session', (id) => listener(readAnnouncement(id)));
}

function readAnnouncement(id: string): EndedSessions {
  if (id === EXPIRED) return 'any';
  return id.startsWith(ACCOUNT) ? { accountId: Number(id.slice(ACCOUNT.length)) } : { session: id };
}

/** Keeps the cache true to what any process announces; after a break it starts from nothing. */
export function followSessionEnds(bus: LiveBus, cache: SessionCache): void {
  onSessionEnd(bus, (ended) => {
    // Those that have run out are not believed in any more.
    if (ended === 'any') return;
    if ('session' in ended) cache.drop(ended.session);
    else cache.dropAccount(ended.accountId);
  });
  bus.onGap(() => cache.clear());
}
