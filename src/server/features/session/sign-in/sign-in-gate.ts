import { AppError } from '#server/app-error.ts';
import { siteOf } from '#server/networks.ts';
import type { Attempt, SignInThrottle } from './sign-in-throttle.ts';

/** Each check of the throttle takes a database connection for a moment. */
const MAX_CHECKED = 4;
const MAX_ARRIVALS = 1_000;
/** Each sign-in takes 19 MiB and a thread of the pool that also serves files and DNS. */
const MAX_RUNNING = 2;
/** A longer line would mean waiting for more than a second. */
const MAX_WAITING = 64;
/** Running or waiting: a flood from one client leaves places for others. */
const MAX_PER_CLIENT = 16;

interface AttemptedSignIn {
  attempt: Attempt;
}

/**
 * Limits how many sign-ins run and wait, so that a flood exhausts neither memory, processor nor
 * database connections. Attempts that the throttle blocks are refused before they wait. Names at a
 * usual place wait in their own line, which is served first, so strangers never fill it.
 */
export class SignInGate {
  readonly #throttle: Pick<SignInThrottle, 'checkWait'>;
  readonly #arrivals = new Line(MAX_ARRIVALS);
  readonly #usual = new Line(MAX_WAITING);
  readonly #others = new Line(MAX_WAITING);
  readonly #checks = new Places(MAX_CHECKED, [this.#arrivals]);
  readonly #signIns = new Places(MAX_RUNNING, [this.#usual, this.#others]);

  constructor(throttle: Pick<SignInThrottle, 'checkWait'>) {
    this.#throttle = throttle;
  }

  /**
   * @param identify returns whose attempt it is, for the check of the throttle
   * @throws AppError `too_many_requests` while the throttle blocks the attempt, or when too many
   * sign-ins wait
   */
  async runLimited<I extends AttemptedSignIn, T>(
    address: string,
    identify: () => Promise<I> | I,
    signIn: (identified: I) => Promise<T>,
  ): Promise<T> {
    const { identified, isUsualPlace } = await this.#checks.run(this.#arrivals, siteOf(address), async () => {
      const identified = await identify();
      return { identified, ...(await this.#throttle.checkWait(identified.attempt)) };
    });
    const [line, client] = isUsualPlace ? [this.#usual, address] : [this.#others, siteOf(address)];
    return await this.#signIns.run(line, client, () => signIn(identified));
  }
}

/** Places to run in, for which the sign-ins of some lines wait. The first line is served first. */
class Places {
  readonly #max: number;
  readonly #lines: readonly Line[];
  #taken = 0;

  constructor(max: number, lines: readonly Line[]) {
    this.#max = max;
    this.#lines = lines;
  }

  /** @throws AppError `too_many_requests` when too many wait, in total or of this client */
  run<T>(line: Line, client: string, work: () => Promise<T>): Promise<T> {
    return line.runCounted(client, async () => {
      if (this.#taken < this.#max) this.#taken += 1;
      else await line.wait(client);
      return await work().finally(() => this.#leave());
    });
  }

  /** Passes the place to the next in line, if one waits. */
  #leave(): void {
    if (!this.#lines.some((line) => line.startNext())) this.#taken -= 1;
  }
}

interface Waiter {
  start: () => void;
  refuse: (error: AppError) => void;
}

/** Waiting sign-ins. Clients take turns, so each waits only for one sign-in of every other one. */
class Line {
  readonly #max: number;
  readonly #waiters = new Map<string, Waiter[]>();
  readonly #counts = new Map<string, number>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws AppError when the client has too many sign-ins that run or wait */
  async runCounted<T>(client: string, work: () => Promise<T>): Promise<T> {
    const count = this.#counts.get(client) ?? 0;
    if (count >= MAX_PER_CLIENT) throw busy();
    this.#counts.set(client, count + 1);
    try {
      return await work();
    } finally {
      const left = (this.#counts.get(client) ?? 1) - 1;
      if (left > 0) this.#counts.set(client, left);
      else this.#counts.delete(client);
    }
  }

  /** Resolves when it is this client's turn. Rejects when a client with fewer needs the place. */
  async wait(client: string): Promise<void> {
    if (this.#size >= this.#max) this.#makeRoomFor(client);
    this.#size += 1;
    await new Promise<void>((start, refuse) => {
      const waiter = { start, refuse };
      const waiters = this.#waiters.get(client);
      if (waiters) waiters.push(waiter);
      else this.#waiters.set(client, [waiter]);
    });
  }

  /** Returns false when no sign-in waits. */
  startNext(): boolean {
    for (const [client, waiters] of this.#waiters) {
      this.#waiters.delete(client);
      const next = waiters.shift();
      // A map iterates in the order of insertion: the client's next turn comes after all others.
      if (waiters.length > 0) this.#waiters.set(client, waiters);
      this.#size -= 1;
      next?.start();
      return true;
    }
    return false;
  }

  /** Refuses the last waiter of the client with the most, unless this client would have as many. */
  #makeRoomFor(client: string): void {
    const [most = []] = [...this.#waiters.values()].toSorted((one, other) => other.length - one.length);
    if (most.length <= (this.#waiters.get(client)?.length ?? 0) + 1) throw busy();
    most.pop()?.refuse(busy());
    this.#size -= 1;
  }
}

const busy = () =>
  new AppError('too_many_requests', 'Too many people are signing in right now. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
