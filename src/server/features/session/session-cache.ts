import type { SignedIn } from '../../http/session-guard.ts';

/** A session as this process knows it. */
export interface KnownSession {
  signedIn: SignedIn;
  /** From this moment on the database is asked again: milliseconds since 1970. */
  freshUntil: number;
}

/** About 3 MB when full. */
const MOST_SESSIONS = 10_000;

/**
 * Sessions by the hash of their token, the longest unused leaving first.
 *
 * A look-up in the database may answer "valid" and arrive here after the news that the session has ended. Each invalidation therefore
 * starts a new generation, and what was looked up in an older one is not kept.
 */
export class SessionCache {
  readonly #sessions = new Map<string, KnownSession>();
  readonly #most: number;
  #generation = 0;

  constructor(most = MOST_SESSIONS) {
    this.#most = most;
  }

  /** Take it before the look-up and hand it to `put`. */
  get generation(): number {
    return this.#generation;
  }

  get(hash: string, now: number): SignedIn | undefined {
    const known = this.#sessions.get(hash);
    if (!known) return undefined;
    this.#sessions.delete(hash);
    if (now >= known.freshUntil) return undefined;
    this.#sessions.set(hash, known);
    return known.signedIn;
  }

  put(hash: string, session: KnownSession, generation: number): void {
    if (generation !== this.#generation) return;
    this.#sessions.delete(hash);
    this.#sessions.set(hash, session);
    if (this.#sessions.size <= this.#most) return;
    for (const oldest of this.#sessions.keys()) {
      this.#sessions.delete(oldest);
      return;
    }
  }

  drop(hash: string): void {
    this.#generation += 1;
    this.#sessions.delete(hash);
  }

  dropAccount(accountId: number): void {
    this.#generation += 1;
    for (const [hash, { signedIn }] of this.#sessions)
      if (signedIn.accountId === accountId) this.#sessions.delete(hash);
  }

  clear(): void {
    this.#generation += 1;
    this.#sessions.clear();
  }
}
