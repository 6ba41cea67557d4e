import type { Executor } from '#server/db/database.ts';
import { announce, type LiveBus } from '#server/live/bus.ts';
import type { EndedSessions } from '#server/live/sockets.ts';
import type { SessionCache } from './session-cache.ts';

const ACCOUNT = 'account:';
const EXPIRED = 'expired';

/** Announces to every process, at the commit, that a session has ended. */
export const announceSessionEnd = (tx: Executor, hash: string) => announce(tx, 'session', hash);

/** Announces that sessions have expired, so that processes close their sockets. */
export const announceExpiry = (tx: Executor) => announce(tx, 'session', EXPIRED);

/** Announces that sessions of an account have ended. */
export const announceAccountChange = (tx: Executor, accountId: number) =>
  announce(tx, 'session', `${ACCOUNT}${accountId}`);

/** Announces that the list of an account's signed-in devices has changed. */
export const announceDevices = (tx: Executor, accountId: number) => announce(tx, 'devices', String(accountId));

/** Calls the listener when any process announces that sessions have ended. */
export function onSessionEnd(bus: LiveBus, listener: (ended: EndedSessions) => void): void {
  bus.on('session', (id) => listener(parseAnnouncement(id)));
}

function parseAnnouncement(id: string): EndedSessions {
  if (id === EXPIRED) return 'any';
  return id.startsWith(ACCOUNT) ? { accountId: Number(id.slice(ACCOUNT.length)) } : { session: id };
}

/** Evicts ended sessions from the cache. After a gap in the announcements the cache is cleared. */
export function evictEndedSessions(bus: LiveBus, cache: SessionCache): void {
  onSessionEnd(bus, (ended) => {
    // The cache does not return expired sessions: there is nothing to evict.
    if (ended === 'any') return;
    if ('session' in ended) cache.evict(ended.session);
    else cache.evictAccount(ended.accountId);
  });
  bus.onGap(() => cache.clear());
}
