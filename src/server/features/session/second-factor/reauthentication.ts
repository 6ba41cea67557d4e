import { AppError } from '../../../app-error.ts';
import type { Executor } from '../../../db/database.ts';
import { holdRotation } from '../../../secrets/hold-rotation.ts';
import { findAccount, holdAccount } from '../accounts.repo.ts';
import type { Caller } from '../caller.ts';
import { verifyPassword } from '../passwords.ts';
import { printableName } from '../printable-name.ts';
import type { SignInDependencies } from '../sign-in.ts';
import { CodeCheck, WRONG_CODE } from './code-check.ts';
import { confirmedAt } from './second-factor.repo.ts';

/** What somebody signed in gives to show that it is still them. */
export interface Proof {
  currentPassword: string;
  code?: string | undefined;
}

/**
 * Asks for the password, and the code where there is a second factor, before the second factor changes: whoever finds a screen unlocked
 * must not take the account over. Guessed no faster here than at the sign-in.
 */
export class Reauthentication {
  readonly #on: SignInDependencies;
  readonly #codes: CodeCheck;

  constructor(dependencies: SignInDependencies) {
    this.#on = dependencies;
    this.#codes = new CodeCheck(dependencies);
  }

  /**
   * Does the work in the transaction that has taken the code. Nothing is sealed anew meanwhile.
   * @throws AppError `invalid_input` with the field, or `too_many_requests` with the seconds to wait
   */
  run<T>(proof: Proof, caller: Caller, work: (tx: Executor, now: number) => Promise<T>): Promise<T> {
    return this.#on.gate.run(caller.address, () => this.#prove(proof, caller, work));
  }

  async #prove<T>(proof: Proof, caller: Caller, work: (tx: Executor, now: number) => Promise<T>): Promise<T> {
    const { db, throttle } = this.#on;
    const { accountId, username } = caller.signedIn;
    if (proof.code === undefined && (await confirmedAt(db, accountId)))
      throw new AppError('invalid_input', 'Enter the code of your authenticator app.', { field: 'code' });

    await throttle.begin(attemptOf(caller));
    const account = await findAccount(db, username);
    const right = await verifyPassword(account?.password_hash, proof.currentPassword);
    if (!account || !right) return await this.#refuse(caller, 'currentPassword');
    if (proof.code !== undefined) await this.#codes.begin(accountId);
    const outcome = await db.transaction().execute(async (tx) => {
      await holdRotation(tx);
      if (!(await holdAccount(tx, accountId, account.password_hash))) return 'currentPassword' as const;
      const now = this.#on.clock();
      if (!(await this.#takes(tx, { accountId, code: proof.code, now }))) return 'code' as const;
      await throttle.succeed(tx, attemptOf(caller));
      return { done: await work(tx, now) };
    });
    return typeof outcome === 'object' ? outcome.done : await this.#refuse(caller, outcome);
  }

  async #takes(tx: Executor, given: { accountId: number; code: string | undefined; now: number }): Promise<boolean> {
    const verdict = await this.#on.secondFactor.take(tx, given);
    if (verdict === 'wrong' || verdict === 'missing') return false;
    if (given.code !== undefined) await this.#codes.succeed(tx, given.accountId);
    return true;
  }

  async #refuse({ signedIn, address }: Caller, field: 'currentPassword' | 'code'): Promise<never> {
    const username = printableName(signedIn.username);
    const what = field === 'code' ? 'code' : 'current password';
    await this.#on.logs.write(this.#on.db, {
      type: 'error',
      action: 'second-factor',
      status: 'error',
      summary: `Somebody signed in as ${username} gave a wrong ${what}.`,
      metadata: { username, address },
    });
    const message = field === 'code' ? WRONG_CODE : 'This is not your current password.';
    throw new AppError('invalid_input', message, { field });
  }
}

/** The same count as that of the sign-in. */
export const attemptOf = ({ signedIn, address }: Caller) => ({ name: `account ${signedIn.accountId}`, address });
