import type { LiveBus } from '#server/live/bus.ts';
import type { ChangedSessions } from '#server/live/sockets.ts';
import type { SessionCache } from './session-cache.ts';

const ACCOUNT = 'account:';

/** Announced on the topic `session`, as the id of a session is. */
export const EXPIRED = 'expired';
export const sessionsOf = (accountId: number): string => `${ACCOUNT}${accountId}`;

/** Calls the listener when any process announces that sessions have ended or have other rights. */
export function onSessionChange(bus: LiveBus, listener: (changed: ChangedSessions) => void): void {
  bus.on('session', (id) => listener(parseAnnouncement(id)));
}

function parseAnnouncement(id: string): ChangedSessions {
  if (id === EXPIRED) return 'any';
  return id.startsWith(ACCOUNT) ? { accountId: Number(id.slice(ACCOUNT.length)) } : { session: id };
}

/** Evicts changed sessions from the cache. Clears it after a gap in the announcements. */
export function evictChangedSessions(bus: LiveBus, cache: SessionCache): void {
  onSessionChange(bus, (changed) => {
    // The cache does not return expired sessions: there is nothing to evict.
    if (changed === 'any') return;
    if ('session' in changed) cache.evict(changed.session);
    else cache.evictAccount(changed.accountId);
  });
  bus.onGap(() => cache.clear());
}
