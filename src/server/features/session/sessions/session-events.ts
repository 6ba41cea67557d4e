import type { LiveBus } from '#server/live/bus.ts';
import type { EndedSessions } from '#server/live/sockets.ts';
import type { SessionCache } from './session-cache.ts';

const ACCOUNT = 'account:';

/** Announced on the topic `session`, as the id of a session is. */
export const EXPIRED = 'expired';
export const sessionsOf = (accountId: number): string => `${ACCOUNT}${accountId}`;

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
