import type { Database } from '#server/db/database.ts';
import { viewSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import type { CachedSession } from '#server/features/session/sessions/cached-sessions.ts';
import { currentActor } from '#server/request-context.ts';
import { findToken, updateTokenUse } from './api-tokens.repo.ts';
import { hashOf } from './token-text.ts';

const MINUTE_MS = 60_000;

/** Reads a token, caches it for at most a minute, and stores its use once a minute. */
export async function readApiToken(db: Database, token: string, now: number): Promise<CachedSession | null> {
  const hash = hashOf(token);
  const row = await findToken(db, hash, now);
  if (!row) return null;
  const [before, usedAt] = [now - MINUTE_MS, row.lastUsedAt?.getTime() ?? 0];
  if (usedAt <= before) await updateTokenUse(db, row.id, { now, before, address: currentActor().address });
  const freshUntil = Math.min(now + MINUTE_MS, row.expiresAt.getTime());
  return { signedIn: { ...viewSignedIn(row), scopes: row.scopes }, hash, freshUntil };
}
