import { LRUCache } from 'lru-cache';
import { AppError } from './app-error.ts';

const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts attempts per key, for example per address, in this process and for a minute each. */
export class AttemptLimit {
  readonly #perMinute: number;
  readonly #message: string;
  readonly #counts = new LRUCache<string, { attempts: number; endsAt: number }>({ max: MAX_KEYS });

  /** @param message of the error that `check` throws */
  constructor(perMinute: number, message = 'Too many requests. Try again in a minute.') {
    this.#perMinute = perMinute;
    this.#message = message;
  }

  isReached(key: string): boolean {
    return this.#countOf(key).attempts >= this.#perMinute;
  }

  /** @throws AppError `too_many_requests` with the seconds until the minute ends */
  check(key: string): void {
    if (!this.isReached(key)) return;
    const { endsAt } = this.#countOf(key);
    const retryAfterSeconds = Math.ceil((endsAt - performance.now()) / 1_000);
    throw new AppError('too_many_requests', this.#message, { retryAfterSeconds });
  }

  count(key: string): void {
    this.#countOf(key).attempts += 1;
  }

  #countOf(key: string): { attempts: number; endsAt: number } {
    const now = performance.now();
    const found = this.#counts.get(key);
    if (found && found.endsAt > now) return found;
    const started = { attempts: 0, endsAt: now + MINUTE_MS };
    this.#counts.set(key, started);
    return started;
  }
}
