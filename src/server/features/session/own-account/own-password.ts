import type { HandlerInput } from '#contracts/endpoint.ts';
import type { changePassword } from '#contracts/session.ts';
import { AppError } from '#server/app-error.ts';
import { updatePasswordHash } from '#server/features/session/accounts/accounts.repo.ts';
import { checkNewPassword } from '#server/features/session/accounts/password-policy.ts';
import { hashPassword } from '#server/features/session/accounts/passwords.ts';
import { withdrawInvitation } from '#server/features/session/accounts/withdraw-invitation.ts';
import type { Caller } from '#server/features/session/sessions/caller.ts';
import { replaceSessions } from '#server/features/session/sessions/session-lifecycle.ts';
import type { SessionCookie } from '#server/features/session/sessions/session-token.ts';
import type { SignInDeps } from '#server/features/session/sign-in/sign-in.ts';
import type { Reauthentication } from './reauthentication.ts';

interface OwnPasswordDeps extends SignInDeps {
  reauthentication: Reauthentication;
}

export type PasswordChange = HandlerInput<typeof changePassword>['body'];

/** Users change their own password. */
export class OwnPassword {
  readonly #deps: OwnPasswordDeps;

  constructor(deps: OwnPasswordDeps) {
    this.#deps = deps;
  }

  /**
   * Ends every other session of the account and starts a new one for the caller. End the caller's
   * old session once the new cookie has been sent: until then their windows must stay signed in.
   * @throws AppError as `Reauthentication` does, `invalid_input` for the field `newPassword`, or
   * `unauthenticated` when the caller's session has ended
   */
  async changePassword({ newPassword, ...proof }: PasswordChange, caller: Caller): Promise<SessionCookie> {
    const { events, reauthentication, isBreached, onSessionsEnded } = this.#deps;
    const { accountId, username } = caller.signedIn;
    // Not in the gate: waiting for the breached-password service must not delay sign-ins.
    await checkNewPassword(newPassword, { username, field: 'newPassword', isBreached });
    if (newPassword === proof.currentPassword)
      throw new AppError('invalid_input', "That's already your password.", { field: 'newPassword' });

    const cookie = await reauthentication.runReauthenticated(proof, caller, async (tx, now) => {
      await updatePasswordHash(tx, username, await hashPassword(newPassword));
      await withdrawInvitation(tx, accountId);
      const { cookie, endedCount } = await replaceSessions(tx, this.#deps, { caller, now });
      const { address } = caller;
      const change = { username, address, change: 'password', otherSessions: endedCount } as const;
      await events.record(tx, 'own-account.changed', change);
      return cookie;
    });
    onSessionsEnded(accountId);
    return cookie;
  }
}
