import { LRUCache } from 'lru-cache';
import { AppError } from './app-error.ts';

const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts attempts per key, for example per address, in this process and for a minute each. */
export class AttemptLimit {
  readonly #perMinute: number;
  readonly #message: string;
  readonly #counts = new LRUCache<string, number>({ max: MAX_KEYS, ttl: MINUTE_MS, noUpdateTTL: true });

  /** @param message of the error that `check` throws */
  constructor(perMinute: number, message = 'Too many requests. Try again in a minute.') {
    this.#perMinute = perMinute;
    this.#message = message;
  }

  isReached(key: string): boolean {
    return this.#countOf(key) >= this.#perMinute;
  }

  /** @throws AppError `too_many_requests` with the seconds until the minute ends */
  check(key: string): void {
    if (!this.isReached(key)) return;
    const retryAfterSeconds = Math.ceil(this.#counts.getRemainingTTL(key) / 1_000);
    throw new AppError('too_many_requests', this.#message, { retryAfterSeconds });
  }

  count(key: string): void {
    this.#counts.set(key, this.#countOf(key) + 1);
  }

  /** Counts the attempt unless the limit is reached. @throws AppError as `check` */
  spend(key: string): void {
    this.check(key);
    this.count(key);
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}
