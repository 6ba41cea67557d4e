import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

export interface OverloadMeasures {
  /** Queries that wait for a connection to the database. */
  waitingQueries(): number;
  /** More of them than this, and no further request is let in. */
  mostWaiting: number;
}

const TICK_MS = 250;
/** A timer this late, twice in a row, means that the process has more to do than it can. */
const LATE_MS = 500;
const COME_BACK_SECONDS = 2;

/** Refuses calls while the process or its database has more to do than it can: those that are in are answered, the others soon. */
export class Overload {
  readonly #measures: OverloadMeasures;
  readonly #timer: NodeJS.Timeout;
  #lateTicks = 0;

  constructor(measures: OverloadMeasures) {
    this.#measures = measures;
    let expected = performance.now() + TICK_MS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#lateTicks = now - expected > LATE_MS ? this.#lateTicks + 1 : 0;
      expected = now + TICK_MS;
    }, TICK_MS).unref();
  }

  get isOverloaded(): boolean {
    return this.#lateTicks >= 2 || this.#measures.waitingQueries() > this.#measures.mostWaiting;
  }

  /** A hook. Pages, files and health checks ask nothing of the database, and are always served. */
  readonly guard = async (request: FastifyRequest): Promise<void> => {
    if (!this.isOverloaded || !request.url.startsWith('/api/') || request.url.startsWith('/api/files/')) return;
    throw new AppError('unavailable', 'The server is very busy. Please try again in a moment.', {
      retryAfterSeconds: COME_BACK_SECONDS,
    });
  };

  close(): void {
    clearInterval(this.#timer);
  }
}
