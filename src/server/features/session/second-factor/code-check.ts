import { AppError } from '../../../app-error.ts';
import type { Database, Executor } from '../../../db/database.ts';
import type { Logs } from '../../logs/logs.service.ts';
import type { Proven } from '../password-check.ts';
import { printableName } from '../printable-name.ts';
import { inWords, type SignInThrottle } from '../sign-in-throttle.ts';

interface Dependencies {
  db: Database;
  logs: Logs;
  throttle: SignInThrottle;
}

/**
 * Slows down the guessing of an account's codes, wherever the guesses come from: six digits are soon tried by many machines, and nobody
 * gets here who does not know the password. Beside this, each wrong code counts as the wrong password does.
 */
export class CodeCheck {
  readonly #on: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#on = dependencies;
  }

  /** @throws AppError `too_many_requests` with the seconds to wait */
  async begin(accountId: number): Promise<void> {
    await this.#on.throttle.begin(codesOf(accountId));
  }

  async succeed(tx: Executor, accountId: number): Promise<void> {
    await this.#on.throttle.succeed(tx, codesOf(accountId));
  }

  /** @throws AppError `wrong_code`, always */
  async refuse({ account, attempt, waitMs }: Proven): Promise<never> {
    const username = printableName(account.username);
    const wait = waitMs === 0 ? '' : ` Further tries wait ${inWords(waitMs / 1_000)}.`;
    await this.#on.logs.write(this.#on.db, {
      type: 'error',
      action: 'sign-in',
      status: 'error',
      summary: `The password of ${username} was given with a wrong code.${wait}`,
      metadata: { username, address: attempt.address, waitSeconds: waitMs / 1_000 },
    });
    throw new AppError('wrong_code', WRONG_CODE);
  }
}

export const WRONG_CODE = 'This code is not right, or was used before. Try the next one.';

/** One count for all addresses. */
const codesOf = (accountId: number) => ({ name: `codes of account ${accountId}`, address: `of account ${accountId}` });
