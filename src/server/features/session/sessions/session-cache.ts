import { LRUCache } from 'lru-cache';
import type { FoundSession } from '#server/http/guards/session-guard.ts';

export interface CachedSession extends FoundSession {
  /** The hash of its token, which identifies it in the database and in other processes. */
  hash: string;
  /** From this time on the database is queried again. Milliseconds since 1970. */
  freshUntil: number;
}

/** About 5 MB when full. */
const MAX_SESSIONS = 10_000;

/**
 * Sessions by their plain token: hashing the token took a fifth of the time of a small request.
 *
 * A query may find a valid session and return after the announcement that the session has ended.
 * Each invalidation therefore starts a new generation, and `set` ignores what was read in an older
 * one.
 */
export class SessionCache {
  readonly #tokenByHash = new Map<string, string>();
  readonly #sessions: LRUCache<string, CachedSession>;
  #generation = 0;

  constructor(max = MAX_SESSIONS) {
    this.#sessions = new LRUCache({
      max,
      dispose: ({ hash }) => this.#tokenByHash.delete(hash),
      noDisposeOnSet: true,
    });
  }

  /** Read it before the query and pass it to `set`. */
  get generation(): number {
    return this.#generation;
  }

  get(token: string, now: number): CachedSession | undefined {
    const session = this.#sessions.get(token);
    if (!session || now < session.freshUntil) return session;
    this.#sessions.delete(token);
    return undefined;
  }

  set(token: string, session: CachedSession, generation: number): void {
    if (generation !== this.#generation) return;
    this.#sessions.set(token, session);
    this.#tokenByHash.set(session.hash, token);
  }

  evict(hash: string): void {
    this.#generation += 1;
    const token = this.#tokenByHash.get(hash);
    if (token !== undefined) this.#sessions.delete(token);
  }

  evictAccount(accountId: number): void {
    this.#generation += 1;
    for (const [token, { signedIn }] of [...this.#sessions.entries()])
      if (signedIn.accountId === accountId) this.#sessions.delete(token);
  }

  clear(): void {
    this.#generation += 1;
    this.#sessions.clear();
  }
}
