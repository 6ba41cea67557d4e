import type { HandlerInput } from '#contracts/endpoint.ts';
import type { changePassword } from '#contracts/session.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import type { Logs } from '../logs/logs.service.ts';
import { findAccount, replacePasswordHash } from './accounts.repo.ts';
import type { IsBreached } from './breach-check.ts';
import type { Caller } from './caller.ts';
import { demandPassword } from './demand-password.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { printableName } from './printable-name.ts';
import { replaceSessions } from './replace-sessions.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { KeyedHash } from './session-token.ts';
import type { SignInGate } from './sign-in-gate.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

interface Dependencies {
  db: Database;
  logs: Logs;
  hash: KeyedHash;
  throttle: SignInThrottle;
  gate: SignInGate;
  isBreached: IsBreached;
  clock: () => number;
}

export type PasswordChange = HandlerInput<typeof changePassword>['body'];

/**
 * People change their own password. The current one is asked for again, and guessed no faster here than at the sign-in: whoever finds a
 * screen unlocked must not take the account over.
 */
export class ChangePassword {
  readonly #on: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#on = dependencies;
  }

  /**
   * Ends every other session of the account in every process, and opens a new one for the caller. The one they came with is to be ended
   * once the new cookie has been sent: until then their windows must not find themselves signed out.
   * @throws AppError `invalid_input` with the field, `too_many_requests` with the seconds to wait, or `unauthenticated` when their session has ended
   */
  async run(change: PasswordChange, caller: Caller): Promise<SessionCookie> {
    const { username } = caller.signedIn;
    // Outside the gate: who waits for the service of breached passwords takes no place from those who sign in.
    await demandPassword(change.newPassword, { username, field: 'newPassword', isBreached: this.#on.isBreached });
    return this.#on.gate.run(caller.address, () => this.#change(change, caller));
  }

  async #change({ currentPassword, newPassword }: PasswordChange, caller: Caller): Promise<SessionCookie> {
    const { accountId, username } = caller.signedIn;
    if (newPassword === currentPassword)
      throw new AppError('invalid_input', 'This is the password that you have.', { field: 'newPassword' });

    const { db, throttle } = this.#on;
    const attempt = { name: `account ${accountId}`, address: caller.address };
    await throttle.begin(attempt);
    const account = await findAccount(db, username);
    const right = await verifyPassword(account?.password_hash, currentPassword);
    const cookie = account && right ? await this.#replace(account.password_hash, newPassword, caller) : null;
    if (cookie) return cookie;
    await this.#logFailure(caller);
    throw new AppError('invalid_input', 'This is not your current password.', { field: 'currentPassword' });
  }

  /** Null when the password was changed, or the account removed, while this one was being verified. */
  async #replace(before: string, newPassword: string, caller: Caller): Promise<SessionCookie | null> {
    const { db, logs, hash, clock, throttle } = this.#on;
    const { accountId, username } = caller.signedIn;
    const after = await hashPassword(newPassword);
    const now = clock();
    return await db.transaction().execute(async (tx) => {
      if (!(await replacePasswordHash(tx, { id: accountId, before, after }))) return null;
      const { cookie, ended } = await replaceSessions(tx, hash, { accountId, token: caller.token, now });
      await throttle.succeed(tx, { name: `account ${accountId}`, address: caller.address });
      const name = printableName(username);
      await logs.write(tx, {
        type: 'auth',
        action: 'change-password',
        status: 'success',
        summary: `${name} changed their password.`,
        metadata: { username: name, address: caller.address, otherSessions: ended },
      });
      return cookie;
    });
  }

  async #logFailure({ signedIn, address }: Caller): Promise<void> {
    const name = printableName(signedIn.username);
    await this.#on.logs.write(this.#on.db, {
      type: 'error',
      action: 'change-password',
      status: 'error',
      summary: `Somebody signed in as ${name} gave a wrong current password.`,
      metadata: { username: name, address },
    });
  }
}
