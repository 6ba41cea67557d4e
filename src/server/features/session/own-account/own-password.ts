import type { HandlerInput } from '#contracts/endpoint.ts';
import type { changePassword } from '#contracts/session.ts';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import { findAccount, updateUnchangedPasswordHash } from '#server/features/session/accounts/accounts.repo.ts';
import { checkNewPassword, type IsBreached } from '#server/features/session/accounts/password-policy.ts';
import { hashPassword, verifyPassword } from '#server/features/session/accounts/passwords.ts';
import type { Caller } from '#server/features/session/sessions/caller.ts';
import { replaceSessions } from '#server/features/session/sessions/session-lifecycle.ts';
import { failedReauthenticationEntry, ownAccountChangedEntry } from '#server/features/session/sessions/session-log.ts';
import type { KeyedHash, SessionCookie } from '#server/features/session/sessions/session-token.ts';
import type { SignInGate } from '#server/features/session/sign-in/sign-in-gate.ts';
import { accountAttempt, type SignInThrottle } from '#server/features/session/sign-in/sign-in-throttle.ts';

interface OwnPasswordDeps {
  db: Database;
  logs: Logs;
  hash: KeyedHash;
  throttle: SignInThrottle;
  gate: SignInGate;
  isBreached: IsBreached;
  /** Called after the commit with an account whose sessions have ended. */
  onSessionsEnded: (accountId: number) => void;
  clock: () => number;
}

export type PasswordChange = HandlerInput<typeof changePassword>['body'];

/**
 * Users change their own password. They must enter the current one, so that an unlocked screen is
 * not enough to take over the account. Guessing it is throttled like a sign-in.
 */
export class OwnPassword {
  readonly #deps: OwnPasswordDeps;

  constructor(deps: OwnPasswordDeps) {
    this.#deps = deps;
  }

  /**
   * Ends every other session of the account and starts a new one for the caller. End the caller's
   * old session once the new cookie has been sent: until then their windows must stay signed in.
   * @throws AppError `invalid_input` with the field, `too_many_requests` with the seconds to
   * wait, or `unauthenticated` when the caller's session has ended
   */
  async changePassword(change: PasswordChange, caller: Caller): Promise<SessionCookie> {
    const { gate, isBreached, onSessionsEnded } = this.#deps;
    const { accountId, username } = caller.signedIn;
    // Outside the gate: waiting for the breached-password service must not delay sign-ins.
    await checkNewPassword(change.newPassword, { username, field: 'newPassword', isBreached });
    const attempt = accountAttempt(accountId, caller.address);
    const cookie = await gate.runLimited(
      caller.address,
      () => ({ attempt }),
      () => this.#changePassword(change, caller),
    );
    onSessionsEnded(accountId);
    return cookie;
  }

  async #changePassword({ currentPassword, newPassword }: PasswordChange, caller: Caller): Promise<SessionCookie> {
    const { db, logs, throttle } = this.#deps;
    const { accountId, username } = caller.signedIn;
    if (newPassword === currentPassword)
      throw new AppError('invalid_input', "That's already your password.", { field: 'newPassword' });

    await throttle.beginAttempt(accountAttempt(accountId, caller.address));
    const account = await findAccount(db, username);
    const isCorrect = await verifyPassword(account?.password_hash, currentPassword);
    const cookie =
      account && isCorrect ? await this.#replacePassword(account.password_hash, newPassword, caller) : null;
    if (cookie) return cookie;
    const field = 'currentPassword';
    await logs.write(
      db,
      failedReauthenticationEntry({ username, address: caller.address, action: 'change-password', field }),
    );
    throw new AppError('invalid_input', 'Current password is incorrect.', { field });
  }

  /** Returns null when the account was changed or removed while the password was being verified. */
  async #replacePassword(before: string, newPassword: string, caller: Caller): Promise<SessionCookie | null> {
    const { db, logs, hash, clock, throttle } = this.#deps;
    const { address, token } = caller;
    const { accountId, username } = caller.signedIn;
    const after = await hashPassword(newPassword);
    const now = clock();
    return await db.transaction().execute(async (tx) => {
      if (!(await updateUnchangedPasswordHash(tx, { id: accountId, before, after }))) return null;
      const { cookie, endedCount } = await replaceSessions(tx, hash, { accountId, token, now });
      await throttle.recordSuccess(tx, accountAttempt(accountId, address));
      const change = { username, address, action: 'change-password', what: 'changed their password' } as const;
      await logs.write(tx, ownAccountChangedEntry(change, { otherSessions: endedCount }));
      return cookie;
    });
  }
}
