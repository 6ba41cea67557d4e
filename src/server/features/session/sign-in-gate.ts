import { AppError } from '../../app-error.ts';

/** Each sign-in takes 19 MiB and a thread of the pool that also serves files and names: two at a time leave room for both. */
const AT_ONCE = 2;
/** More would wait longer than a second. */
const MOST_WAITING = 64;
/** Of one address, working or waiting: whoever floods from one place leaves places to everybody else. */
const MOST_OF_ONE_ADDRESS = 16;

/** Lets a few sign-ins work at a time and a bounded number wait, so that a flood of them takes neither memory nor processor from others. */
export class SignInGate {
  #working = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #byAddress = new Map<string, number>();

  /** @throws AppError `too_many_requests` when too many wait already, of that address or at all */
  async run<T>(address: string, signIn: () => Promise<T>): Promise<T> {
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (ofAddress >= MOST_OF_ONE_ADDRESS) throw busy();
    const entered = this.#enter();
    this.#byAddress.set(address, ofAddress + 1);
    try {
      await entered;
      return await signIn();
    } finally {
      this.#leave(address);
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#working < AT_ONCE) {
      this.#working += 1;
      return undefined;
    }
    if (this.#waiting.length >= MOST_WAITING) throw busy();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The place goes to the next in line, or becomes free. */
  #leave(address: string): void {
    const ofAddress = this.#byAddress.get(address) ?? 1;
    if (ofAddress > 1) this.#byAddress.set(address, ofAddress - 1);
    else this.#byAddress.delete(address);
    const next = this.#waiting.shift();
    if (next) next();
    else this.#working -= 1;
  }
}

const busy = () =>
  new AppError('too_many_requests', 'Too many people are signing in. Please try again in a moment.', {
    retryAfterSeconds: 2,
  });
