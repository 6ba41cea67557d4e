import { LRUCache } from 'lru-cache';
import type { FoundSession } from '#server/http/guards/session-guard.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { onSessionChange } from './session-events.ts';

export interface CachedSession extends FoundSession {
  /** The hash of its token, which identifies it in the database and in other processes. */
  hash: string;
  /** From this time on the database is queried again. Milliseconds since 1970. */
  freshUntil: number;
}

interface CachedSessionsDeps {
  bus: Pick<LiveBus, 'connected' | 'on' | 'onGap'>;
  /** Reads what a token opens from the database. `now` is in milliseconds since 1970. */
  read: (token: string, now: number) => Promise<CachedSession | null>;
  clock: () => number;
}

/** About 5 MB when full. */
const MAX_SESSIONS = 10_000;

/**
 * Looks tokens up in memory, or in the database while announcements cannot be received. The keys
 * are plain tokens: hashing the token took a fifth of the time of a small request.
 *
 * A query may find a valid session and return after the announcement that the session has ended.
 * Each eviction therefore starts a new generation, and what was read in an older one is not kept.
 */
export class CachedSessions {
  readonly #deps: CachedSessionsDeps;
  readonly #sessions = new LRUCache<string, CachedSession>({ max: MAX_SESSIONS });
  #generation = 0;

  constructor(deps: CachedSessionsDeps) {
    this.#deps = deps;
    onSessionChange(deps.bus, (changed) => {
      // Expired sessions are not returned: there is nothing to evict.
      if (changed === 'any') return;
      if ('session' in changed) this.evict(changed.session);
      else this.evictAccount(changed.accountId);
    });
    deps.bus.onGap(() => this.#evictIf(() => true));
  }

  /** Returns a cached session without a promise. */
  find(token: string): CachedSession | Promise<CachedSession | null> {
    const { bus, clock } = this.#deps;
    const cached = bus.connected ? this.#sessions.get(token) : undefined;
    return cached && clock() < cached.freshUntil ? cached : this.#read(token);
  }

  evict(hash: string): void {
    this.#evictIf((session) => session.hash === hash);
  }

  evictAccount(accountId: number): void {
    this.#evictIf(({ signedIn }) => signedIn.accountId === accountId);
  }

  #evictIf(isChanged: (session: CachedSession) => boolean): void {
    this.#generation += 1;
    for (const [token, session] of [...this.#sessions.entries()]) if (isChanged(session)) this.#sessions.delete(token);
  }

  async #read(token: string): Promise<CachedSession | null> {
    const { bus, read, clock } = this.#deps;
    const generation = this.#generation;
    const now = clock();
    const found = await read(token, now);
    if (found === null) return null;
    // The cookie is extended once, not with every use of the cached session.
    const { cookieMaxAgeSeconds: _, ...session } = found;
    if (bus.connected && found.freshUntil > now && generation === this.#generation) this.#sessions.set(token, session);
    return found;
  }
}
