import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { type AccountRow, findAccount } from '#server/features/session/accounts/accounts.repo.ts';
import { verifyPassword } from '#server/features/session/accounts/passwords.ts';
import type { KeyedHash } from '#server/features/session/sessions/session-token.ts';
import type { SignInGate } from './sign-in-gate.ts';
import { type Attempt, accountAttempt, type SignInThrottle } from './sign-in-throttle.ts';

interface PasswordCheckDeps {
  db: Database;
  events: Events;
  throttle: SignInThrottle;
  gate: SignInGate;
  hash: KeyedHash;
  /** Replaced in tests. */
  verify?: typeof verifyPassword;
}

/** The typed name of an attempt, and its account if one has this name. */
interface IdentifiedUser {
  username: string;
  account: AccountRow | undefined;
  attempt: Attempt;
}

/** The result of a correct password. */
export interface PasswordMatch extends IdentifiedUser {
  account: AccountRow;
  /** How long the next attempt waits if this one fails at a later check. */
  waitMs: number;
}

/** The first factor of a sign-in. */
export class PasswordCheck {
  readonly #deps: PasswordCheckDeps;

  constructor(deps: PasswordCheckDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `work` after a correct password. The attempt counts as failed until the throttle records
   * its success.
   * @throws AppError `wrong_credentials` or `too_many_requests`
   */
  runAuthenticated<T>(
    { username, password }: { username: string; password: string },
    address: string,
    work: (match: PasswordMatch) => Promise<T>,
  ): Promise<T> {
    return this.#deps.gate.runLimited(
      address,
      () => this.#identify(username, address),
      async (identified) => work(await this.#checkPassword(password, identified)),
    );
  }

  /** Finds the account of the typed name, if it exists, and what the throttle counts for it. */
  async #identify(username: string, address: string): Promise<IdentifiedUser> {
    const account = await findAccount(this.#deps.db, username);
    const name = `nobody ${username.toLowerCase()}`;
    return { username, account, attempt: account ? accountAttempt(account.id, address) : { name, address } };
  }

  async #checkPassword(password: string, identified: IdentifiedUser): Promise<PasswordMatch> {
    const { throttle, verify = verifyPassword } = this.#deps;
    const { account, attempt } = identified;
    const waitMs = await throttle.beginAttempt(attempt);
    // Unknown names cost the same work, so that response times do not reveal which names exist.
    const isCorrect = await verify(account?.password_hash, password);
    return account && isCorrect ? { ...identified, account, waitMs } : await this.refuse({ ...identified, waitMs });
  }

  /**
   * Logs the failure, with the typed name only if an account has it: people also type passwords
   * there. Attempts that the throttle refuses are not logged, so that a flood cannot fill the
   * table.
   * @throws AppError `wrong_credentials`, always
   */
  async refuse({ username, attempt, waitMs }: IdentifiedUser & { waitMs: number }): Promise<never> {
    const { db, events, hash } = this.#deps;
    const account = await findAccount(db, username);
    const cause = account
      ? ({ wrong: 'password', username: account.username } as const)
      : ({ wrong: 'name', usernameHash: hash(`unknown name ${username.toLowerCase()}`) } as const);
    await events.record(db, 'sign-in.failed', { address: attempt.address, waitSeconds: waitMs / 1_000, cause });
    throw new AppError('wrong_credentials', 'Invalid username or password');
  }
}
