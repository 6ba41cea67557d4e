import type { FastifyBaseLogger } from 'fastify';
import type { EndedSessions, LiveSockets } from './sockets.ts';

/** Answers which of these sessions still stand. */
export type StandingSessions = (sessions: readonly string[]) => Promise<ReadonlySet<string>>;

/** Sessions of one question: a list that the database takes at once. */
const MOST_ASKED = 1_000;

/**
 * Answers what to call when sessions may have ended: it asks which of those with a socket here still stand, and closes the sockets of
 * the others. One question at a time, whatever happens: sessions that come up meanwhile are asked about together in the next one.
 */
export function checkSockets(
  sockets: LiveSockets,
  standing: StandingSessions,
  log: FastifyBaseLogger,
): (ended: EndedSessions) => void {
  const waiting = new Set<string>();
  let asking = false;
  const ask = async () => {
    const asked = [...waiting.values().take(MOST_ASKED)];
    for (const session of asked) waiting.delete(session);
    const found = await standing(asked);
    sockets.dropSessions(new Set(asked).difference(found));
  };
  const askAll = async () => {
    asking = true;
    // Nobody is sent away because the database does not answer. When it does again, every browser connects anew.
    while (waiting.size > 0)
      await ask().catch((error) => log.warn({ err: error }, 'could not check the sockets of ended sessions'));
    asking = false;
  };
  return (ended) => {
    for (const session of sockets.sessionsOf(ended)) waiting.add(session);
    if (!asking) void askAll();
  };
}
