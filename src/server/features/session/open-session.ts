import type { Executor } from '../../db/database.ts';
import { insertSession } from './session.repo.ts';
import type { SessionCookie } from './session-cookie.ts';
import { endOf, secondsUntil } from './session-life.ts';
import { type KeyedHash, newToken } from './session-token.ts';

interface Opening {
  accountId: number;
  remembered: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** Begins a session under a token that nobody has seen before, which only the cookie carries. */
export async function openSession(
  tx: Executor,
  hash: KeyedHash,
  { accountId, remembered, now }: Opening,
): Promise<SessionCookie> {
  const token = newToken();
  const expiresAt = endOf({ remembered, startedAt: now }, now);
  await insertSession(tx, { hash: hash(token), accountId, remembered, now, expiresAt });
  return { token, maxAgeSeconds: remembered ? secondsUntil(expiresAt, now) : null };
}
