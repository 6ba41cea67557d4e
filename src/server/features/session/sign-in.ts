import type { HandlerInput } from '#contracts/endpoint.ts';
import type { login, User } from '#contracts/session.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Executor } from '../../db/database.ts';
import type { Logs } from '../logs/logs.service.ts';
import { holdAccount } from './accounts.repo.ts';
import { openSession } from './open-session.ts';
import type { PasswordCheck, Proven } from './password-check.ts';
import { printableName } from './printable-name.ts';
import { CodeCheck } from './second-factor/code-check.ts';
import type { SecondFactor } from './second-factor/second-factor.ts';
import { deleteSession } from './session.repo.ts';
import type { SessionCookie } from './session-cookie.ts';
import { announceSessionEnd } from './session-ended.ts';
import type { KeyedHash } from './session-token.ts';
import type { SignInGate } from './sign-in-gate.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface SignInDependencies {
  db: Database;
  logs: Logs;
  hash: KeyedHash;
  throttle: SignInThrottle;
  gate: SignInGate;
  passwords: PasswordCheck;
  secondFactor: SecondFactor;
  /** Nobody gets a session without a second factor. */
  required: boolean;
  clock: () => number;
}

/** What the sign-in form sends. */
export type Credentials = HandlerInput<typeof login>['body'];

/** Where a sign-in comes from. */
export interface SignInFrom {
  address: string;
  /** The token that the browser already carries; its session ends when the new one begins. */
  oldToken: string | null;
}

export interface OpenedSession {
  user: User;
  /** Its token is for the cookie, and nowhere else. */
  cookie: SessionCookie;
}

/** What becomes of a right password. */
type Outcome = SessionCookie | 'changed meanwhile' | 'code missing' | 'code wrong' | 'set-up missing';

/** Turns credentials into a session. */
export class SignIn {
  readonly #on: SignInDependencies;
  readonly #codes: CodeCheck;

  constructor(dependencies: SignInDependencies) {
    this.#on = dependencies;
    this.#codes = new CodeCheck(dependencies);
  }

  /**
   * @throws AppError `wrong_credentials`, or `too_many_requests` with the seconds to wait; after the right password also `wrong_code`,
   * `second_factor_required` or `second_factor_setup_required`
   */
  run(credentials: Credentials, from: SignInFrom): Promise<OpenedSession> {
    return this.#on.gate.run(from.address, () => this.#attempt(credentials, from));
  }

  async #attempt(credentials: Credentials, from: SignInFrom): Promise<OpenedSession> {
    const { passwords, db } = this.#on;
    const proven = await passwords.demand(credentials, from.address);
    const { account, waitMs } = proven;
    if (credentials.code !== undefined) await this.#codes.begin(account.id);
    const outcome = await db.transaction().execute((tx) => this.#open(tx, proven, { ...credentials, ...from }));
    if (typeof outcome === 'object') return { user: { id: account.id, username: account.username }, cookie: outcome };
    switch (outcome) {
      case 'changed meanwhile':
        return await passwords.refuse(credentials.username, { address: from.address, waitMs });
      case 'code wrong':
        return await this.#codes.refuse(proven);
      case 'code missing':
        throw new AppError('second_factor_required', 'Enter the code of your authenticator app.');
      case 'set-up missing':
        throw new AppError('second_factor_setup_required', 'Set up a second factor to sign in.');
    }
  }

  async #open(
    tx: Executor,
    { account, attempt }: Proven,
    { code, oldToken, rememberMe }: Credentials & SignInFrom,
  ): Promise<Outcome> {
    const { secondFactor, required, hash, clock, throttle, logs } = this.#on;
    const now = clock();
    if (!(await holdAccount(tx, account.id, account.password_hash))) return 'changed meanwhile';
    const verdict = await secondFactor.take(tx, { accountId: account.id, code, now });
    if (verdict === 'wrong') return 'code wrong';
    if (verdict === 'missing' || (verdict === 'off' && required)) {
      await throttle.withdraw(tx, attempt);
      await this.#logHalf(tx, { account, attempt });
      return verdict === 'missing' ? 'code missing' : 'set-up missing';
    }
    await endOldSession(tx, oldToken && hash(oldToken), now);
    const cookie = await openSession(tx, hash, { accountId: account.id, remembered: rememberMe, now });
    await throttle.succeed(tx, attempt);
    if (code !== undefined) await this.#codes.succeed(tx, account.id);
    const username = printableName(account.username);
    const by = verdict === 'recovery code' ? ' with a recovery code' : '';
    await logs.write(tx, {
      type: 'auth',
      action: 'sign-in',
      status: by ? 'warning' : 'success',
      summary: `${username} signed in${by}.`,
      metadata: { username, address: attempt.address, remembered: rememberMe, secondFactor: verdict },
    });
    return cookie;
  }

  /** Somebody who has stolen a password gets this far: its owner can see it. */
  async #logHalf(tx: Executor, { account, attempt }: Pick<Proven, 'account' | 'attempt'>): Promise<void> {
    const username = printableName(account.username);
    await this.#on.logs.write(tx, {
      type: 'auth',
      action: 'sign-in',
      status: 'info',
      summary: `The password of ${username} was given; the second factor is asked for.`,
      metadata: { username, address: attempt.address },
    });
  }
}

/** By its hash: the session that the browser came with makes room for the new one. */
export async function endOldSession(tx: Executor, hash: string | null, now: number): Promise<void> {
  if (hash === null) return;
  await deleteSession(tx, hash, now);
  await announceSessionEnd(tx, hash);
}
