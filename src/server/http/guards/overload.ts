import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';

export interface OverloadDeps {
  /** Queries that wait for a connection to the database. */
  waitingQueries(): number;
  /** Above this number, requests are rejected. */
  maxWaiting: number;
}

const CHECK_INTERVAL_MS = 250;
/** A timer that is this late twice in a row means overload. */
const MAX_DELAY_MS = 500;
const RETRY_AFTER_SECONDS = 2;
/** API calls, calls of links and webhooks, but not files. */
const GUARDED = /^\/(api\/(?!files\/)|hooks\/|s\/[^/]+\/(?!video\/|thumbnail\/))/;

/**
 * Rejects API calls and webhook events while the process or its database is overloaded, so that
 * accepted ones finish in time.
 */
export class Overload {
  readonly #deps: OverloadDeps;
  readonly #timer: NodeJS.Timeout;
  #lateTicks = 0;

  constructor(deps: OverloadDeps) {
    this.#deps = deps;
    let expected = performance.now() + CHECK_INTERVAL_MS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#lateTicks = now - expected > MAX_DELAY_MS ? this.#lateTicks + 1 : 0;
      expected = now + CHECK_INTERVAL_MS;
    }, CHECK_INTERVAL_MS).unref();
  }

  get isOverloaded(): boolean {
    return this.#lateTicks >= 2 || this.#deps.waitingQueries() > this.#deps.maxWaiting;
  }

  /**
   * An `onRequest` hook. Pages, files and health checks need no database query and are always
   * served.
   */
  readonly guard = async (request: FastifyRequest): Promise<void> => {
    if (!this.isOverloaded || !GUARDED.test(request.url)) return;
    throw new AppError('unavailable', 'The server is very busy. Try again in a moment.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  };

  close(): void {
    clearInterval(this.#timer);
  }
}
