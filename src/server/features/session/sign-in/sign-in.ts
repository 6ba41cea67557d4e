import type { HandlerInput } from '#contracts/endpoint.ts';
import type { login, User } from '#contracts/session.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { lockUnchangedAccount } from '#server/features/session/accounts/accounts.repo.ts';
import { viewUser } from '#server/features/session/accounts/accounts.view.ts';
import { DEFAULT_CREDENTIALS } from '#server/features/session/accounts/login-hint.ts';
import type { IsBreached } from '#server/features/session/accounts/password-policy.ts';
import { findSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import type { SecondFactorCodes } from '#server/features/session/second-factor/second-factor-codes.ts';
import { endSession, startSession } from '#server/features/session/sessions/session-lifecycle.ts';
import type { KeyedHash, SessionCookie } from '#server/features/session/sessions/session-token.ts';
import { identifyActor } from '#server/request-context.ts';
import type { CodeCheck } from './code-check.ts';
import type { PasswordCheck, PasswordMatch } from './password-check.ts';
import type { SignInGate } from './sign-in-gate.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** For every class that checks a caller's credentials. */
export interface SignInDeps {
  db: Database;
  events: Events;
  /** Hashes tokens before they are stored, as in `Sessions`. */
  hash: KeyedHash;
  throttle: SignInThrottle;
  gate: SignInGate;
  passwords: PasswordCheck;
  codes: CodeCheck;
  secondFactor: SecondFactorCodes;
  isBreached: IsBreached;
  /** No session starts without a second factor. */
  isFactorRequired: boolean;
  /** Other machines can connect. The default password then opens only its own replacement. */
  isReachable: boolean;
  /** Called after the commit with the hash of the token whose session has ended. */
  onSessionEnded: (hash: string) => void;
  /** Called after the commit with an account whose sessions have ended or have other rights. */
  onSessionsEnded: (accountId: number) => void;
  clock: () => number;
}

export type Credentials = HandlerInput<typeof login>['body'];

export interface SignInOrigin {
  address: string;
  /** See `describeDevice`. */
  device: string;
  /** The token in the browser's cookie. Its session ends when the new one starts. */
  oldToken: string | null;
}

export interface StartedSession {
  user: User;
  cookie: SessionCookie;
}

/** The result after a correct password. */
type Outcome = SessionCookie | 'account-changed' | 'password-default' | 'code-missing' | 'code-wrong' | 'setup-missing';

export class SignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * Starts a session and ends the one that the browser had.
   * @throws AppError `wrong_credentials` or `too_many_requests`. After the correct password also
   * `password_change_required`, `wrong_code`, `second_factor_required` or
   * `second_factor_setup_required`.
   */
  async signIn(credentials: Credentials, origin: SignInOrigin): Promise<StartedSession> {
    return await this.#deps.passwords.runAuthenticated(credentials, origin.address, async (match) => {
      const started = await this.#signIn(match, { ...credentials, ...origin });
      if (origin.oldToken !== null) this.#deps.onSessionEnded(this.#deps.hash(origin.oldToken));
      return started;
    });
  }

  async #signIn(match: PasswordMatch, credentials: Credentials & SignInOrigin): Promise<StartedSession> {
    const { passwords, codes, db } = this.#deps;
    const { account } = match;
    if (credentials.code !== undefined) await codes.beginAttempt(account.id);
    const outcome = await db.transaction().execute((tx) => this.#startSession(tx, match, credentials));
    if (typeof outcome === 'object') return { user: viewUser(await findSignedIn(db, account.id)), cookie: outcome };
    switch (outcome) {
      case 'account-changed':
        return await passwords.refuse(match);
      case 'password-default':
        throw new AppError('password_change_required', 'Choose a new password to continue.');
      case 'code-wrong':
        return await codes.refuse(match);
      case 'code-missing':
        throw new AppError('second_factor_required', 'Enter the code from your authenticator app.');
      case 'setup-missing':
        throw new AppError('second_factor_setup_required', 'Set up two-factor sign-in to continue.');
    }
  }

  async #startSession(
    tx: Executor,
    { account, attempt }: PasswordMatch,
    { password, code, oldToken, rememberMe, device, address }: Credentials & SignInOrigin,
  ): Promise<Outcome> {
    const { secondFactor, codes, isFactorRequired, isReachable, hash, clock, throttle, events } = this.#deps;
    const now = clock();
    const actor = { username: account.username, address: attempt.address };
    if (!(await lockUnchangedAccount(tx, account))) return 'account-changed';
    if (isReachable && password === DEFAULT_CREDENTIALS.password) {
      await throttle.withdrawAttempt(tx, attempt);
      return 'password-default';
    }
    const verdict = await secondFactor.redeemCode(tx, { accountId: account.id, code, now });
    if (verdict === 'wrong') return 'code-wrong';
    if (verdict === 'missing' || (verdict === 'off' && isFactorRequired)) {
      await throttle.withdrawAttempt(tx, attempt);
      await events.record(tx, 'sign-in.pending', actor);
      return verdict === 'missing' ? 'code-missing' : 'setup-missing';
    }
    if (oldToken !== null) await endSession(tx, events, { hash: hash(oldToken), now });
    const session = { accountId: account.id, remembered: rememberMe, device, address, now };
    const cookie = await startSession(tx, this.#deps, session);
    await throttle.recordSuccess(tx, attempt);
    if (code !== undefined) await codes.recordSuccess(tx, account.id);
    identifyActor({ accountId: account.id, username: account.username });
    await events.record(tx, 'sign-in.succeeded', { ...actor, remembered: rememberMe, secondFactor: verdict });
    return cookie;
  }
}
