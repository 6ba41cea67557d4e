import { AttemptLimit } from '#server/attempt-limit.ts';
import type { Database } from '#server/db/database.ts';
import { viewSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import type { CachedSession, SessionCache } from '#server/features/session/sessions/session-cache.ts';
import type { FoundSession, SessionReader } from '#server/http/guards/session-guard.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { currentActor } from '#server/request-context.ts';
import { findToken, updateTokenUse } from './api-tokens.repo.ts';
import { hashOf, isApiToken } from './token-text.ts';

const MINUTE_MS = 60_000;

interface ApiTokenReaderDeps {
  db: Database;
  bus: LiveBus;
  cache: SessionCache;
  /** Requests of one token in this process. */
  perMinute: number;
  clock: () => number;
}

/**
 * Finds API tokens as `CachedSessionReader` finds sessions. A cached token is read again after a
 * minute, which is when its use is stored.
 */
export class ApiTokenReader implements SessionReader {
  readonly #deps: ApiTokenReaderDeps;
  readonly #limit: AttemptLimit;

  constructor(deps: ApiTokenReaderDeps) {
    this.#deps = deps;
    this.#limit = new AttemptLimit(
      deps.perMinute,
      `An API token may send ${deps.perMinute.toLocaleString('en-US')} requests a minute. Send the next one later.`,
    );
  }

  /** @throws AppError `too_many_requests` for a token that sends too many */
  findSession(token: string | null): FoundSession | null | Promise<FoundSession | null> {
    if (token === null || !isApiToken(token)) return null;
    const { bus, cache, clock } = this.#deps;
    const cached = bus.connected ? cache.get(token, clock()) : undefined;
    return cached ? this.#count(cached) : this.#readToken(token);
  }

  async #readToken(token: string): Promise<FoundSession | null> {
    const { db, bus, cache, clock } = this.#deps;
    const { generation } = cache;
    const [hash, now] = [hashOf(token), clock()];
    const row = await findToken(db, hash, now);
    if (!row) return null;
    const [before, usedAt] = [now - MINUTE_MS, row.lastUsedAt?.getTime() ?? 0];
    if (usedAt <= before) await updateTokenUse(db, row.id, { now, before, address: currentActor().address });
    const freshUntil = Math.min(now + MINUTE_MS, row.expiresAt.getTime());
    const found = { signedIn: { ...viewSignedIn(row), scopes: row.scopes }, hash, freshUntil };
    if (bus.connected) cache.set(token, found, generation);
    return this.#count(found);
  }

  #count(found: CachedSession): FoundSession {
    this.#limit.check(found.hash);
    this.#limit.count(found.hash);
    return found;
  }
}
