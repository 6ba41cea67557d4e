import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { PasswordMatch } from './password-check.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

interface CodeCheckDeps {
  db: Database;
  events: Events;
  throttle: SignInThrottle;
}

/**
 * Slows down the guessing of an account's codes from all addresses together, because many
 * machines would soon try all six-digit codes. Each wrong code also counts as a wrong password.
 */
export class CodeCheck {
  readonly #deps: CodeCheckDeps;

  constructor(deps: CodeCheckDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `too_many_requests` with the seconds to wait */
  async beginAttempt(accountId: number): Promise<void> {
    await this.#deps.throttle.beginAttempt(codeAttempt(accountId));
  }

  async recordSuccess(tx: Executor, accountId: number): Promise<void> {
    await this.#deps.throttle.recordSuccess(tx, codeAttempt(accountId));
  }

  /** @throws AppError `wrong_code`, always */
  async refuse(
    { account: { username }, attempt: { address }, waitMs }: PasswordMatch,
    error = new AppError('wrong_code', WRONG_CODE),
  ): Promise<never> {
    const cause = { wrong: 'code', username } as const;
    await this.#deps.events.record(this.#deps.db, 'sign-in.failed', { address, waitSeconds: waitMs / 1_000, cause });
    throw error;
  }
}

export const WRONG_CODE = 'That code is wrong or already used. Wait for the next one.';

/** One count for all addresses. */
const codeAttempt = (accountId: number) => ({
  name: `codes of account ${accountId}`,
  address: `of account ${accountId}`,
});
