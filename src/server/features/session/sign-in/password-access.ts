import { AppError } from '#server/app-error.ts';
import type { OidcOptions } from '#server/features/session/oidc/oidc.ts';

/** Whether people may sign in with passwords. */
export class PasswordAccess {
  /** Null: everyone may. */
  readonly #only: OidcOptions | null;

  constructor(options: OidcOptions | null) {
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
