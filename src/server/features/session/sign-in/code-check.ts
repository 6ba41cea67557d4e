import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import { wrongCodeEntry } from '#server/features/session/sessions/session-log.ts';
import type { PasswordMatch } from './password-check.ts';
import { formatWait, type SignInThrottle } from './sign-in-throttle.ts';

interface CodeCheckDeps {
  db: Database;
  logs: Logs;
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
  async refuse({ account: { username }, attempt: { address }, waitMs }: PasswordMatch): Promise<never> {
    const waitSeconds = waitMs / 1_000;
    const entry = wrongCodeEntry({ username, address, waitSeconds, wait: formatWait(waitSeconds) });
    await this.#deps.logs.write(this.#deps.db, entry);
    throw new AppError('wrong_code', WRONG_CODE);
  }
}

export const WRONG_CODE = 'That code is wrong or already used. Wait for the next one.';

/** One count for all addresses. */
const codeAttempt = (accountId: number) => ({
  name: `codes of account ${accountId}`,
  address: `of account ${accountId}`,
});
