import type { HandlerInput } from '#contracts/endpoint.ts';
import type { replaceDefaultPassword } from '#contracts/session.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import { lockAccountForChange, updatePasswordHash } from '#server/features/session/accounts/accounts.repo.ts';
import { DEFAULT_CREDENTIALS } from '#server/features/session/accounts/login-hint.ts';
import { checkNewPassword } from '#server/features/session/accounts/password-policy.ts';
import { hashPassword } from '#server/features/session/accounts/passwords.ts';
import { isStartCode } from '#server/features/session/accounts/start-code.ts';
import { withdrawInvitation } from '#server/features/session/accounts/withdraw-invitation.ts';
import { findConfirmedAt } from '#server/features/session/second-factor/second-factor.repo.ts';
import { endSessionsOfAccount } from '#server/features/session/sessions/session-lifecycle.ts';
import type { PasswordMatch } from './password-check.ts';
import type { SignInDeps } from './sign-in.ts';

type Replacement = HandlerInput<typeof replaceDefaultPassword>['body'];

const WRONG_START_CODE = 'That code is wrong. Copy it from the console: the server prints it at each start.';

/** Where others can reach the server, the default password allows only its own replacement. */
export class DefaultPassword {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * Starts no session. The user signs in with the new password. A wrong start code counts as a
   * wrong password.
   * @throws AppError `wrong_credentials`, `wrong_code`, `too_many_requests`, `invalid_input` for
   * the new password, or `conflict` when the password needs no replacement
   */
  async replace({ startCode, newPassword, ...credentials }: Replacement, address: string): Promise<void> {
    const { db, passwords, codes, hash, isReachable, isBreached, onSessionsEnded } = this.#deps;
    await passwords.runAuthenticated(credentials, address, async (match) => {
      const { account } = match;
      if (!isReachable || credentials.password !== DEFAULT_CREDENTIALS.password)
        throw new AppError('conflict', 'This password needs no replacement here. Sign in instead.');
      if (!isStartCode(startCode, hash, account.password_hash))
        return await codes.refuse(match, new AppError('wrong_code', WRONG_START_CODE, { field: 'startCode' }));
      await checkNewPassword(newPassword, { username: account.username, field: 'newPassword', isBreached });
      const after = await hashPassword(newPassword);
      const isReplaced = await db.transaction().execute((tx) => this.#replace(tx, match, after));
      if (!isReplaced) await passwords.refuse(match);
      onSessionsEnded(account.id);
    });
  }

  /** Returns false when the account has changed since its password was checked. */
  async #replace(tx: Executor, { account, attempt }: PasswordMatch, after: string): Promise<boolean> {
    const { throttle, events } = this.#deps;
    const { id, username } = account;
    if (!(await lockAccountForChange(tx, account))) return false;
    if (await findConfirmedAt(tx, id)) {
      const command = `npm run user -- password ${username}`;
      throw new AppError('conflict', `This account has two-factor sign-in. Change its password with: ${command}`);
    }
    await updatePasswordHash(tx, username, after);
    await withdrawInvitation(tx, id);
    await endSessionsOfAccount(tx, events, id);
    await throttle.withdrawAttempt(tx, attempt);
    const { address } = attempt;
    await events.record(tx, 'own-account.changed', { username, address, change: 'default-password' });
    return true;
  }
}
