import type { Database } from '../../db/database.ts';
import type { Logs } from '../logs/logs.service.ts';
import { printableName } from './printable-name.ts';
import { deleteEndedSessions } from './session.repo.ts';
import { announceExpiry } from './session-ended.ts';

/** Removes the sessions that have run out, logs each, and tells every process to close their sockets. */
export async function endExpiredSessions(db: Database, logs: Logs, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ended = await deleteEndedSessions(tx, now);
    if (ended.length === 0) return;
    await announceExpiry(tx);
    for (const { username, remembered, createdAt } of ended) {
      const name = printableName(username);
      await logs.write(tx, {
        type: 'auth',
        action: 'session-expired',
        status: 'info',
        summary: `A session of ${name} ran out.`,
        metadata: { username: name, remembered, startedAt: createdAt.toISOString() },
      });
    }
  });
}
