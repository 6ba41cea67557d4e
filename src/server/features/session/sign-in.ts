import type { Selectable } from 'kysely';
import type { HandlerInput } from '#contracts/endpoint.ts';
import type { login, User } from '#contracts/session.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import type { DB } from '../../db/tables.ts';
import type { Logs } from '../logs/logs.service.ts';
import { findAccount, holdAccount } from './accounts.repo.ts';
import { openSession } from './open-session.ts';
import { verifyPassword } from './passwords.ts';
import { printableName } from './printable-name.ts';
import { deleteSession } from './session.repo.ts';
import type { SessionCookie } from './session-cookie.ts';
import { announceSessionEnd } from './session-ended.ts';
import type { KeyedHash } from './session-token.ts';
import type { SignInGate } from './sign-in-gate.ts';
import { type Attempt, inWords, type SignInThrottle } from './sign-in-throttle.ts';

interface SignInDependencies {
  db: Database;
  logs: Logs;
  hash: KeyedHash;
  throttle: SignInThrottle;
  gate: SignInGate;
  clock: () => number;
  /** Another one than our own counts for tests. */
  verify?: typeof verifyPassword;
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

type Account = Pick<Selectable<DB['account']>, 'id' | 'username' | 'password_hash'>;

/** Turns credentials into a session. */
export class SignIn {
  readonly #on: SignInDependencies;

  constructor(dependencies: SignInDependencies) {
    this.#on = dependencies;
  }

  /** @throws AppError `wrong_credentials`, or `too_many_requests` with the seconds to wait */
  run(credentials: Credentials, from: SignInFrom): Promise<OpenedSession> {
    return this.#on.gate.run(from.address, () => this.#attempt(credentials, from));
  }

  async #attempt(credentials: Credentials, from: SignInFrom): Promise<OpenedSession> {
    const { username, password, rememberMe } = credentials;
    const { db, throttle, verify = verifyPassword } = this.#on;
    const account = await findAccount(db, username);
    const attempt = { name: account ? `account ${account.id}` : `nobody ${username.toLowerCase()}`, ...from };
    const waitMs = await throttle.begin(attempt);

    // The same work for a name that nobody has: the time of an answer must not tell which names exist.
    const right = await verify(account?.password_hash, password);
    const cookie = account && right ? await this.#open(account, attempt, from.oldToken, rememberMe) : null;
    if (account && cookie) return { user: { id: account.id, username: account.username }, cookie };
    await this.#logFailure(username, from.address, waitMs);
    throw new AppError('wrong_credentials', 'Invalid username or password');
  }

  /** Null when the password was changed, or the account removed, while it was being verified. */
  async #open(
    account: Account,
    attempt: Attempt,
    oldToken: string | null,
    remembered: boolean,
  ): Promise<SessionCookie | null> {
    const { db, hash, clock, throttle, logs } = this.#on;
    const now = clock();
    return await db.transaction().execute(async (tx) => {
      if (!(await holdAccount(tx, account.id, account.password_hash))) return null;
      if (oldToken !== null) {
        await deleteSession(tx, hash(oldToken), now);
        await announceSessionEnd(tx, hash(oldToken));
      }
      const cookie = await openSession(tx, hash, { accountId: account.id, remembered, now });
      await throttle.succeed(tx, attempt);
      await logs.write(tx, {
        type: 'auth',
        action: 'sign-in',
        status: 'success',
        summary: `${printableName(account.username)} signed in.`,
        metadata: { username: printableName(account.username), address: attempt.address, remembered },
      });
      return cookie;
    });
  }

  /** The tries that are refused unheard until the wait is over are not logged one by one: a flood of them must not fill the table. */
  async #logFailure(username: string, address: string, waitMs: number): Promise<void> {
    const wait = waitMs === 0 ? '' : ` Further tries wait ${inWords(waitMs / 1_000)}.`;
    await this.#on.logs.write(this.#on.db, {
      type: 'error',
      action: 'sign-in',
      status: 'error',
      summary: `Failed sign-in as ${printableName(username)}.${wait}`,
      metadata: { username: printableName(username), address, waitSeconds: waitMs / 1_000 },
    });
  }
}
