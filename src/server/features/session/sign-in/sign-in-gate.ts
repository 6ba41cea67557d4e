import { AppError } from '#server/app-error.ts';

/** Each sign-in takes 19 MiB and a thread of the pool that also serves files and DNS. */
const MAX_RUNNING = 2;
/** A longer queue would mean waiting for more than a second. */
const MAX_WAITING = 64;
/** Running or waiting, per address: a flood from one address leaves places for others. */
const MAX_PER_ADDRESS = 16;

/** Limits how many sign-ins run and wait, so that a flood exhausts neither memory nor processor. */
export class SignInGate {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #countByAddress = new Map<string, number>();

  /** @throws AppError `too_many_requests` when too many wait, in total or from this address */
  async runLimited<T>(address: string, signIn: () => Promise<T>): Promise<T> {
    const count = this.#countByAddress.get(address) ?? 0;
    if (count >= MAX_PER_ADDRESS) throw busy();
    const entered = this.#enter();
    this.#countByAddress.set(address, count + 1);
    try {
      await entered;
      return await signIn();
    } finally {
      this.#leave(address);
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#running < MAX_RUNNING) {
      this.#running += 1;
      return undefined;
    }
    if (this.#waiting.length >= MAX_WAITING) throw busy();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Passes the place to the next in the queue, if there is one. */
  #leave(address: string): void {
    const count = this.#countByAddress.get(address) ?? 1;
    if (count > 1) this.#countByAddress.set(address, count - 1);
    else this.#countByAddress.delete(address);
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

const busy = () =>
  new AppError('too_many_requests', 'Too many people are signing in right now. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
