import { batch } from '#server/async/single-flight.ts';
import type { Log } from '#server/ports/log.ts';
import type { EndedSessions, LiveSockets } from './sockets.ts';

/** Returns the sessions that are still valid. */
export type ValidSessions = (sessions: readonly string[]) => Promise<ReadonlySet<string>>;

/** Sessions per query, which keeps its parameter small. */
const MAX_SESSIONS_PER_QUERY = 1_000;

/**
 * Returns a function to call when sessions may have ended. It looks up those that have a socket
 * here, and closes the sockets of the ended ones. Calls during a lookup share the next one.
 */
export function socketCheck(
  sockets: LiveSockets,
  validSessions: ValidSessions,
  log: Log,
): (ended: EndedSessions) => void {
  const check = batch(async (ended: readonly EndedSessions[]) => {
    const sessions = [...new Set(ended.flatMap((some) => [...sockets.sessionsOf(some)]))];
    for (let start = 0; start < sessions.length; start += MAX_SESSIONS_PER_QUERY) {
      const some = sessions.slice(start, start + MAX_SESSIONS_PER_QUERY);
      sockets.closeSessions(new Set(some).difference(await validSessions(some)));
    }
  });
  return (ended) => {
    // Keep the sockets during an outage of the database: after it, every browser reconnects.
    check(ended).catch((error) => log.warn({ err: error }, 'could not check the sockets of ended sessions'));
  };
}
