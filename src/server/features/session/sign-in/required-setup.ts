import type { HandlerInput } from '#contracts/endpoint.ts';
import type { confirmRequiredFactor, SharedSecret } from '#contracts/second-factor.ts';
import { AppError } from '#server/app-error.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';
import { lockUnchangedAccount } from '#server/features/session/accounts/accounts.repo.ts';
import type { NameAndPassword } from '#server/features/session/accounts/accounts.service.ts';
import { viewUser } from '#server/features/session/accounts/accounts.view.ts';
import { DEFAULT_CREDENTIALS } from '#server/features/session/accounts/login-hint.ts';
import { findSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import { findConfirmedAt } from '#server/features/session/second-factor/second-factor.repo.ts';
import { endSession, endSessionsOfAccount, startSession } from '#server/features/session/sessions/session-lifecycle.ts';
import { identifyActor } from '#server/request-context.ts';
import type { PasswordMatch } from './password-check.ts';
import type { SignInDeps, SignInOrigin, StartedSession } from './sign-in.ts';

type Confirmation = HandlerInput<typeof confirmRequiredFactor>['body'];

/** The setup of a required second factor, before an account's first session. */
export class RequiredSetup {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `wrong_credentials`, `too_many_requests`, or `conflict` without a requirement
   */
  async beginSetup(credentials: NameAndPassword, address: string): Promise<SharedSecret> {
    const { db, passwords, throttle, secondFactor } = this.#deps;
    return await passwords.runAuthenticated(credentials, address, async (match) => {
      const { account, attempt } = match;
      const secret = await db.transaction().execute(async (tx) => {
        await lockKeyRotation(tx);
        if (!(await this.#lockForSetup(tx, match, credentials.password))) return null;
        await throttle.withdrawAttempt(tx, attempt);
        return await secondFactor.beginSetup(tx, { accountId: account.id, username: account.username });
      });
      return secret ?? (await passwords.refuse(match));
    });
  }

  /** @throws AppError as `beginSetup` does, and `wrong_code` */
  async confirmSetup(
    confirmation: Confirmation,
    origin: SignInOrigin,
  ): Promise<StartedSession & { recoveryCodes: string[] }> {
    const { db, passwords, codes, onSessionsEnded } = this.#deps;
    return await passwords.runAuthenticated(confirmation, origin.address, async (match) => {
      const { account } = match;
      const outcome = await db
        .transaction()
        .execute((tx) => this.#startSession(tx, match, { ...confirmation, ...origin }));
      if (outcome === 'account-changed') return await passwords.refuse(match);
      if (outcome === 'code-wrong') return await codes.refuse(match);
      onSessionsEnded(account.id);
      return { user: viewUser(await findSignedIn(db, account.id)), ...outcome };
    });
  }

  async #startSession(
    tx: Executor,
    match: PasswordMatch,
    { password, code, oldToken, rememberMe, ...origin }: Confirmation & SignInOrigin,
  ) {
    const { secondFactor, hash, clock, throttle, events } = this.#deps;
    const { account, attempt } = match;
    const now = clock();
    if (!(await this.#lockForSetup(tx, match, password))) return 'account-changed';
    const recoveryCodes = await secondFactor.confirmSetup(tx, { accountId: account.id, code, now });
    if (!recoveryCodes) return 'code-wrong';
    if (oldToken !== null) await endSession(tx, events, { hash: hash(oldToken), now });
    await endSessionsOfAccount(tx, events, account.id);
    const { device, address } = origin;
    const session = { accountId: account.id, remembered: rememberMe, device, address, now };
    const cookie = await startSession(tx, this.#deps, session);
    await throttle.recordSuccess(tx, attempt);
    const actor = { username: account.username, address: attempt.address };
    identifyActor({ accountId: account.id, username: account.username });
    const change = 'factor-set-up-at-sign-in';
    await events.record(tx, 'own-account.changed', { ...actor, change, remembered: rememberMe });
    return { cookie, recoveryCodes };
  }

  /**
   * Returns false when the account has changed since the password was checked.
   * @throws AppError `conflict` when no setup is required, and `password_change_required`
   */
  async #lockForSetup(tx: Executor, { account }: PasswordMatch, password: string): Promise<boolean> {
    if (this.#deps.isReachable && password === DEFAULT_CREDENTIALS.password)
      throw new AppError('password_change_required', 'Choose a new password to continue.');
    if (!(await lockUnchangedAccount(tx, account))) return false;
    if (this.#deps.isFactorRequired && !(await findConfirmedAt(tx, account.id))) return true;
    throw new AppError('conflict', 'Two-factor sign-in needs no setup here. Sign in instead.');
  }
}
