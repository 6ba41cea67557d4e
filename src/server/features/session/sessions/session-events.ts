import type { LiveBus } from '#server/live/bus.ts';
import type { ChangedSessions } from '#server/live/sockets.ts';

const ACCOUNT = 'account:';

/** Announced on the topic `session`, as the id of a session is. */
export const EXPIRED = 'expired';
export const sessionsOf = (accountId: number): string => `${ACCOUNT}${accountId}`;

/** Calls the listener when any process announces that sessions have ended or have other rights. */
export function onSessionChange(bus: Pick<LiveBus, 'on'>, listener: (changed: ChangedSessions) => void): void {
  bus.on('session', (id) => listener(parseAnnouncement(id)));
}

function parseAnnouncement(id: string): ChangedSessions {
  if (id === EXPIRED) return 'any';
  return id.startsWith(ACCOUNT) ? { accountId: Number(id.slice(ACCOUNT.length)) } : { session: id };
}
