import { AppError } from '#server/app-error.ts';

interface PasswordAccessOptions {
  /** The name of the provider that people sign in with instead. */
  name: string;
  isOnly: boolean;
  /** The one account that may use its password all the same. */
  breakGlass: string | undefined;
}

/** Whether people may sign in with passwords. */
export class PasswordAccess {
  /** Null: everyone may. */
  readonly #only: PasswordAccessOptions | null;

  constructor(options: PasswordAccessOptions | null) {
    this.#only = options?.isOnly ? options : null;
  }

  get isHidden(): boolean {
    return this.#only !== null;
  }

  /** @throws AppError `forbidden`, whether or not there is an account with this name */
  expectAllowed(username: string): void {
    if (this.#only === null || username.toLowerCase() === this.#only.breakGlass?.toLowerCase()) return;
    throw new AppError('forbidden', `Passwords are turned off here. Sign in with ${this.#only.name} instead.`);
  }
}
