import type { Database } from '../../db/database.ts';
import type { Logs } from '../logs/logs.service.ts';
import { printableName } from './printable-name.ts';
import { deleteSession } from './session.repo.ts';
import { announceSessionEnd } from './session-ended.ts';

interface Ending {
  db: Database;
  logs: Logs;
  /** The hash of its token. */
  hash: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Ends a session in every process, and logs who signed out; one that has ended already is fine too. */
export async function signOut({ db, logs, hash, now }: Ending): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const username = await deleteSession(tx, hash, now);
    if (username === undefined) return;
    await announceSessionEnd(tx, hash);
    const name = printableName(username);
    await logs.write(tx, {
      type: 'auth',
      action: 'sign-out',
      status: 'success',
      summary: `${name} signed out.`,
      metadata: { username: name },
    });
  });
}
