import { randomUUID } from 'node:crypto';
import { announce } from '#server/live/bus.ts';
import type { SessionApp } from './session-app.ts';

/**
 * Resolves when that process has heard whatever any process announced before this call: PostgreSQL delivers announcements in the
 * order of their commits (manual, NOTIFY), so one of our own comes after them. Says so without measuring time.
 */
export async function everythingHeard({ bus, db }: Pick<SessionApp, 'bus' | 'db'>): Promise<void> {
  const id = randomUUID();
  const heard = new Promise<void>((resolve) => bus.on('log', (heardId) => heardId === id && resolve()));
  await announce(db, 'log', id);
  await heard;
}
