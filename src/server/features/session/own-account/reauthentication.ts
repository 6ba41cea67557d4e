import { AppError } from '#server/app-error.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';
import { findAccount, lockAccountForChange } from '#server/features/session/accounts/accounts.repo.ts';
import { verifyPassword } from '#server/features/session/accounts/passwords.ts';
import { findConfirmedAt } from '#server/features/session/second-factor/second-factor.repo.ts';
import type { Caller } from '#server/features/session/sessions/caller.ts';
import { WRONG_CODE } from '#server/features/session/sign-in/code-check.ts';
import type { SignInDeps } from '#server/features/session/sign-in/sign-in.ts';
import { accountAttempt } from '#server/features/session/sign-in/sign-in-throttle.ts';

interface ReauthenticationDeps extends SignInDeps {
  /** The action of the events about failures. */
  action: 'change-password' | 'second-factor';
}

/** Input that proves the identity of a signed-in user. */
export interface Proof {
  currentPassword: string;
  code?: string | undefined;
}

type Work<T> = (tx: Executor, now: number) => Promise<T>;

/**
 * Asks for the password, and for a code if there is a second factor, before either of them
 * changes. An unlocked screen is therefore not enough to take over the account. Guessing is
 * throttled like a sign-in.
 */
export class Reauthentication {
  readonly #deps: ReauthenticationDeps;

  constructor(deps: ReauthenticationDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `work` in the transaction that used up the code. Key rotation waits until it ends.
   * @throws AppError `invalid_input` with the field, or `too_many_requests` with the seconds to
   * wait
   */
  runReauthenticated<T>(proof: Proof, caller: Caller, work: Work<T>): Promise<T> {
    const attempt = accountAttempt(caller.signedIn.accountId, caller.address);
    return this.#deps.gate.runLimited(
      caller.address,
      () => ({ attempt }),
      () => this.#checkProof(proof, caller, work),
    );
  }

  async #checkProof<T>(proof: Proof, caller: Caller, work: Work<T>): Promise<T> {
    const { db, throttle, codes } = this.#deps;
    const { accountId, username } = caller.signedIn;
    if (proof.code === undefined && (await findConfirmedAt(db, accountId)))
      throw new AppError('invalid_input', 'Enter the code from your authenticator app.', { field: 'code' });

    const attempt = accountAttempt(accountId, caller.address);
    await throttle.beginAttempt(attempt);
    const account = await findAccount(db, username);
    const isCorrect = await verifyPassword(account?.password_hash, proof.currentPassword);
    if (!account || !isCorrect) return await this.#refuse(caller, 'currentPassword');
    if (proof.code !== undefined) await codes.beginAttempt(accountId);
    const outcome = await db.transaction().execute(async (tx) => {
      await lockKeyRotation(tx);
      if (!(await lockAccountForChange(tx, { ...account, id: accountId }))) return 'currentPassword' as const;
      const now = this.#deps.clock();
      if (!(await this.#acceptsCode(tx, { accountId, code: proof.code, now }))) return 'code' as const;
      await throttle.recordSuccess(tx, attempt);
      return { result: await work(tx, now) };
    });
    return typeof outcome === 'object' ? outcome.result : await this.#refuse(caller, outcome);
  }

  async #acceptsCode(
    tx: Executor,
    input: { accountId: number; code: string | undefined; now: number },
  ): Promise<boolean> {
    const { secondFactor, codes } = this.#deps;
    const verdict = await secondFactor.redeemCode(tx, input);
    if (verdict === 'wrong' || verdict === 'missing') return false;
    if (input.code !== undefined) await codes.recordSuccess(tx, input.accountId);
    return true;
  }

  async #refuse({ signedIn, address }: Caller, field: 'currentPassword' | 'code'): Promise<never> {
    const { events, db, action } = this.#deps;
    const { username } = signedIn;
    await events.record(db, 'proof.failed', { username, address, action, field });
    const message = field === 'code' ? WRONG_CODE : 'Current password is incorrect.';
    throw new AppError('invalid_input', message, { field });
  }
}
