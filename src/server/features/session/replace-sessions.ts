import { AppError } from '../../app-error.ts';
import type { Executor } from '../../db/database.ts';
import { openSession } from './open-session.ts';
import { deleteOtherSessions, findSession } from './session.repo.ts';
import type { SessionCookie } from './session-cookie.ts';
import { announceAccountChange } from './session-ended.ts';
import type { KeyedHash } from './session-token.ts';

interface Replacing {
  accountId: number;
  /** The caller's own session. It is to be ended once the new cookie has been sent. */
  token: string;
  now: number;
}

/**
 * Ends every other session of the account in every process, and opens a new one for the caller.
 * @throws AppError `unauthenticated` when theirs has ended
 */
export async function replaceSessions(
  tx: Executor,
  hash: KeyedHash,
  { accountId, token, now }: Replacing,
): Promise<{ cookie: SessionCookie; ended: number }> {
  const session = await findSession(tx, hash(token), now);
  if (!session) throw new AppError('unauthenticated', 'Please sign in again.');
  const ended = await deleteOtherSessions(tx, accountId, hash(token));
  await announceAccountChange(tx, accountId);
  return { cookie: await openSession(tx, hash, { accountId, remembered: session.remembered, now }), ended };
}
