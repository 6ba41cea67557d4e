import { AppError } from '../../app-error.ts';

/** Each sign-in takes 19 MiB and a thread of the pool that also serves files and names: two at a time leave room for both. */
const AT_ONCE = 2;
/** More would wait longer than a second. */
const MOST_WAITING = 64;

/** Lets a few sign-ins work at a time and a bounded number wait, so that a flood of them takes neither memory nor processor from others. */
export class SignInGate {
  #working = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws AppError `too_many_requests` when too many wait already */
  async run<T>(signIn: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await signIn();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#working < AT_ONCE) {
      this.#working += 1;
      return undefined;
    }
    if (this.#waiting.length >= MOST_WAITING) {
      throw new AppError('too_many_requests', 'Too many people are signing in. Please try again in a moment.', {
        retryAfterSeconds: 2,
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The place goes to the next in line, or becomes free. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#working -= 1;
  }
}
