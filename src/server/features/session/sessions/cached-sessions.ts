import type { LiveBus } from '#server/live/bus.ts';
import { type CachedSession, SessionCache } from './session-cache.ts';
import { evictChangedSessions } from './session-events.ts';

/** Reads what a token opens from the database. `now` is in milliseconds since 1970. */
type ReadSession = (token: string, now: number) => Promise<CachedSession | null>;

interface CachedSessionsDeps {
  bus: LiveBus;
  read: ReadSession;
  clock: () => number;
}

/** Looks tokens up in the cache, or in the database while announcements cannot be received. */
export class CachedSessions {
  readonly #deps: CachedSessionsDeps;
  readonly #cache = new SessionCache();

  constructor(deps: CachedSessionsDeps) {
    this.#deps = deps;
    evictChangedSessions(deps.bus, this.#cache);
  }

  /** Returns a cached session without a promise. */
  find(token: string): CachedSession | Promise<CachedSession | null> {
    const { bus, clock } = this.#deps;
    const cached = bus.connected ? this.#cache.get(token, clock()) : undefined;
    return cached ?? this.#read(token);
  }

  evict(hash: string): void {
    this.#cache.evict(hash);
  }

  evictAccount(accountId: number): void {
    this.#cache.evictAccount(accountId);
  }

  async #read(token: string): Promise<CachedSession | null> {
    const { bus, read, clock } = this.#deps;
    const { generation } = this.#cache;
    const now = clock();
    const found = await read(token, now);
    if (found === null) return null;
    // The cookie is extended once, not with every use of the cached session.
    const { cookieMaxAgeSeconds: _, ...session } = found;
    if (bus.connected && found.freshUntil > now) this.#cache.set(token, session, generation);
    return found;
  }
}
