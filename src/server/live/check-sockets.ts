import { batch } from '#server/async/single-flight.ts';
import type { Log } from '#server/ports/log.ts';
import type { Rights } from './receivers.ts';
import type { ChangedSessions, LiveSockets } from './sockets.ts';

/** Returns the rights of the sessions that are still valid. */
export type FindRights = (sessions: readonly string[]) => Promise<ReadonlyMap<string, Rights>>;

/** Sessions per query, which keeps its parameter small. */
const MAX_SESSIONS_PER_QUERY = 1_000;
const RETRY_DELAY_MS = 1_000;

/**
 * Returns a function to call when sessions may have ended or changed rights. It looks up the ones
 * with a socket in this process, closes the sockets of ended sessions and updates the others. Calls
 * during a lookup share the next lookup.
 */
export function socketCheck(
  sockets: LiveSockets,
  findRights: FindRights,
  log: Log,
): (changed: ChangedSessions) => void {
  const check = batch(async (changed: readonly ChangedSessions[]) => {
    const sessions = [...new Set(changed.flatMap((some) => [...sockets.sessionsOf(some)]))];
    for (let start = 0; start < sessions.length; start += MAX_SESSIONS_PER_QUERY) {
      const some = sessions.slice(start, start + MAX_SESSIONS_PER_QUERY);
      sockets.updateSessions(some, await findRights(some));
    }
  });
  const start = (changed: ChangedSessions) => {
    check(changed).catch((error) => {
      // Keep the sockets: a database outage must not disconnect all browsers.
      log.warn({ err: error }, 'could not check the sockets of changed sessions');
      setTimeout(() => start(changed), RETRY_DELAY_MS).unref();
    });
  };
  return start;
}
