import type { Executor } from '../../db/database.ts';
import type { SignedIn } from '../../http/session-guard.ts';
import type { Logs } from '../logs/logs.service.ts';
import { printableName } from './printable-name.ts';
import { deleteSessionsOfAccount } from './session.repo.ts';
import { announceAccountChange } from './session-ended.ts';

/** Ends every session of an account, in every process, with the transaction. Resolves with how many there were. */
export async function endAllSessions(tx: Executor, logs: Logs, { accountId, username }: SignedIn): Promise<number> {
  const sessions = await deleteSessionsOfAccount(tx, accountId);
  await announceAccountChange(tx, accountId);
  const name = printableName(username);
  await logs.write(tx, {
    type: 'auth',
    action: 'sign-out-everywhere',
    status: 'success',
    summary: `${name} was signed out everywhere.`,
    metadata: { username: name, sessions },
  });
  return sessions;
}
