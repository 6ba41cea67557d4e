import type { SignedIn } from '../../http/session-guard.ts';

/** A session as this process knows it. */
export interface KnownSession {
  signedIn: SignedIn;
  /** The hash of its token, by which the database and the other processes know it. */
  hash: string;
  /** From this moment on the database is asked again: milliseconds since 1970. */
  freshUntil: number;
}

/** About 5 MB when full. */
const MOST_SESSIONS = 10_000;

/**
 * Sessions by their token as sent, the longest unused leaving first: hashing the token of each request took a fifth of the time of a
 * small one. Tokens of running requests are in memory anyhow; only the database never sees one.
 *
 * A look-up in the database may answer "valid" and arrive here after the news that the session has ended. Each invalidation therefore
 * starts a new generation, and what was looked up in an older one is not kept.
 */
export class SessionCache {
  readonly #sessions = new Map<string, KnownSession>();
  readonly #tokenByHash = new Map<string, string>();
  readonly #most: number;
  #generation = 0;

  constructor(most = MOST_SESSIONS) {
    this.#most = most;
  }

  /** Take it before the look-up and hand it to `put`. */
  get generation(): number {
    return this.#generation;
  }

  get(token: string, now: number): SignedIn | undefined {
    const known = this.#sessions.get(token);
    if (!known) return undefined;
    if (now >= known.freshUntil) {
      this.#forget(token, known);
      return undefined;
    }
    this.#sessions.delete(token);
    this.#sessions.set(token, known);
    return known.signedIn;
  }

  put(token: string, session: KnownSession, generation: number): void {
    if (generation !== this.#generation) return;
    this.#sessions.delete(token);
    this.#sessions.set(token, session);
    this.#tokenByHash.set(session.hash, token);
    if (this.#sessions.size <= this.#most) return;
    for (const [oldest, known] of this.#sessions) {
      this.#forget(oldest, known);
      return;
    }
  }

  drop(hash: string): void {
    this.#generation += 1;
    const token = this.#tokenByHash.get(hash);
    if (token === undefined) return;
    this.#tokenByHash.delete(hash);
    this.#sessions.delete(token);
  }

  dropAccount(accountId: number): void {
    this.#generation += 1;
    for (const [token, known] of this.#sessions) {
      if (known.signedIn.accountId === accountId) this.#forget(token, known);
    }
  }

  clear(): void {
    this.#generation += 1;
    this.#sessions.clear();
    this.#tokenByHash.clear();
  }

  #forget(token: string, { hash }: KnownSession): void {
    this.#sessions.delete(token);
    this.#tokenByHash.delete(hash);
  }
}
