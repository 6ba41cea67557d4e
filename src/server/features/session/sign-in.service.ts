import { AppError } from '#server/app-error.ts';
import type { BreachedPasswords } from '#server/ports/breached-passwords.ts';
import type { Log } from '#server/ports/log.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { Invitations } from './accounts/invitations.ts';
import { LoginHint } from './accounts/login-hint.ts';
import { breachCheck } from './accounts/password-policy.ts';
import { type OidcOptions, openOidc } from './oidc/oidc.ts';
import { OwnDevices } from './own-account/own-devices.ts';
import { OwnPassword } from './own-account/own-password.ts';
import { OwnSecondFactor } from './own-account/own-second-factor.ts';
import { Reauthentication } from './own-account/reauthentication.ts';
import { SecondFactorCodes } from './second-factor/second-factor-codes.ts';
import type { Sessions } from './session.service.ts';
import { CodeCheck } from './sign-in/code-check.ts';
import { DefaultPassword } from './sign-in/default-password.ts';
import { PasswordCheck } from './sign-in/password-check.ts';
import { RequiredSetup } from './sign-in/required-setup.ts';
import { SignIn, type SignInDeps } from './sign-in/sign-in.ts';
import { SignInGate } from './sign-in/sign-in-gate.ts';
import { SignInThrottle } from './sign-in/sign-in-throttle.ts';

interface SignInServiceDeps extends Pick<SignInDeps, 'db' | 'events' | 'hash' | 'isFactorRequired' | 'isReachable'> {
  log: Log;
  sessions: Sessions;
  /** Seals the secrets of second factors. */
  sealer: Sealer;
  /** Null: new passwords are not looked up. */
  breachedPasswords: BreachedPasswords | null;
  /** Null: people sign in with passwords only. */
  singleSignOn?: OidcOptions | null;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

export type SignInService = ReturnType<typeof openSignIn>;

/** Checks a caller's credentials, at sign-in and again before changes of their own account. */
export function openSignIn({ log, sessions, breachedPasswords, clock = Date.now, ...deps }: SignInServiceDeps) {
  const { sealer, singleSignOn = null } = deps;
  const only = singleSignOn?.isOnly ? singleSignOn : null;
  const throttle = new SignInThrottle(deps.db, deps.hash, clock);
  const gate = new SignInGate(throttle);
  const signInDeps = {
    ...deps,
    ...{ clock, throttle, gate },
    passwords: new PasswordCheck({ ...deps, throttle, gate }),
    codes: new CodeCheck({ ...deps, throttle }),
    secondFactor: new SecondFactorCodes(sealer),
    onSessionEnded: (hash: string) => sessions.evict(hash),
    onSessionsEnded: (accountId: number) => sessions.evictAccount(accountId),
    isBreached: breachCheck(breachedPasswords, (error) =>
      log.warn({ err: error }, 'Looking up a new password among breached ones failed'),
    ),
  };
  const reauthentication = (action: 'second-factor' | 'change-password') =>
    new Reauthentication({ ...signInDeps, action });
  return {
    throttle,
    oidc: singleSignOn && openOidc(signInDeps, singleSignOn),
    isPasswordHidden: only !== null,
    /** @throws AppError `forbidden`, whether or not there is an account with this name */
    expectPasswordAllowed(username: string): void {
      if (only === null || username.toLowerCase() === only.breakGlass?.toLowerCase()) return;
      throw new AppError('forbidden', `Passwords are turned off here. Sign in with ${only.name} instead.`);
    },
    loginHint: new LoginHint(deps),
    invitations: new Invitations(signInDeps),
    signIn: new SignIn(signInDeps),
    requiredSetup: new RequiredSetup(signInDeps),
    defaultPassword: new DefaultPassword(signInDeps),
    ownDevices: new OwnDevices(signInDeps),
    ownPassword: new OwnPassword({ ...signInDeps, reauthentication: reauthentication('change-password') }),
    ownSecondFactor: new OwnSecondFactor({ ...signInDeps, reauthentication: reauthentication('second-factor') }),
  };
}
