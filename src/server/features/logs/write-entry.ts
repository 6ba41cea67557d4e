import { VIEW_ACTIONS } from '#contracts/logs.ts';
import { lockSharedEntries } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';
import type { Concerns, NewLogEntry } from '#server/events/events.ts';
import { announce } from '#server/live/announce.ts';
import { currentActor } from '#server/request-context.ts';
import { hasEntryWithin, insertLog } from './logs.repo.ts';

/**
 * Writes the entry with the current actor in the caller's transaction, and announces it unless its
 * action is one of `VIEW_ACTIONS`. With `onceWithinMs`, does nothing when a process has written one
 * with the same action, status and machine (in `metadata`) within this time.
 */
export async function writeEntry(
  tx: Executor,
  newEntry: NewLogEntry & Partial<Concerns>,
  onceWithinMs?: number,
): Promise<void> {
  const type = newEntry.status === 'error' ? 'error' : 'system';
  const entry = { type, status: 'success', ...newEntry } as const;
  if (onceWithinMs !== undefined) {
    await lockSharedEntries(tx);
    if (await hasEntryWithin(tx, entry, onceWithinMs)) return;
  }
  const id = await insertLog(tx, entry, currentActor());
  // Lists leave these entries out, so no page has to read again.
  if (!VIEW_ACTIONS.includes(entry.action)) await announce(tx, 'log', String(id));
}
