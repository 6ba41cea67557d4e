import PQueue from 'p-queue';
import { AppError } from '#server/app-error.ts';
import { siteOf } from '#server/networks.ts';
import type { Attempt, SignInThrottle } from './sign-in-throttle.ts';

/** Each check of the throttle takes a database connection for a moment. */
const CHECKS = { concurrency: 4, maxWaiting: 1_000 };
/** Each sign-in takes 19 MiB and a thread of the pool that also serves files and DNS. */
const SIGN_INS = { concurrency: 2, maxWaiting: 64 };
/** Running or waiting: a flood from one client leaves places for others. */
const MAX_PER_CLIENT = 16;
const USUAL_PLACE_PRIORITY = 1;

/**
 * Limits how many sign-ins run and wait, so that a flood exhausts neither memory, processor nor
 * database connections. Attempts that the throttle blocks are rejected before they wait. Names at a
 * usual place are served first, and strangers never fill their places.
 */
export class SignInGate {
  readonly #throttle: Pick<SignInThrottle, 'checkWait'>;
  readonly #checks = new FairQueue(CHECKS);
  readonly #signIns = new FairQueue(SIGN_INS);

  constructor(throttle: Pick<SignInThrottle, 'checkWait'>) {
    this.#throttle = throttle;
  }

  /**
   * @param identify returns whose attempt it is, for the check of the throttle
   * @throws AppError `too_many_requests` while the throttle blocks the attempt, or when too many
   * sign-ins wait
   */
  async runLimited<I extends { attempt: Attempt }, T>(
    address: string,
    identify: () => Promise<I> | I,
    signIn: (identified: I) => Promise<T>,
  ): Promise<T> {
    const site = siteOf(address);
    const { identified, isUsualPlace } = await this.#checks.run(site, async () => {
      const identified = await identify();
      return { identified, ...(await this.#throttle.checkWait(identified.attempt)) };
    });
    const work = () => signIn(identified);
    if (isUsualPlace) return await this.#signIns.run(`usual place ${address}`, work, USUAL_PLACE_PRIORITY);
    return await this.#signIns.run(site, work);
  }
}

/** Without a fixed priority, the n-th attempt of a client waits for the first n of all others. */
class FairQueue {
  readonly #queue: PQueue;
  readonly #maxWaiting: number;
  readonly #counts = new Map<string, number>();

  constructor({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
    this.#queue = new PQueue({ concurrency });
    this.#maxWaiting = maxWaiting;
  }

  /**
   * @throws AppError `too_many_requests` when too many of this client run or wait, or too many wait
   * with the same priority
   */
  async run<T>(client: string, work: () => Promise<T>, fixedPriority?: number): Promise<T> {
    const count = this.#counts.get(client) ?? 0;
    const priority = fixedPriority ?? -count;
    if (count >= MAX_PER_CLIENT || this.#queue.sizeBy({ priority }) >= this.#maxWaiting) throw busy();
    this.#counts.set(client, count + 1);
    try {
      return await this.#queue.add(work, { priority });
    } finally {
      const left = (this.#counts.get(client) ?? 1) - 1;
      if (left > 0) this.#counts.set(client, left);
      else this.#counts.delete(client);
    }
  }
}

const busy = () =>
  new AppError('too_many_requests', 'Too many people are signing in right now. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
