import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '#contracts/endpoint.ts';
import type { loginHint } from '#contracts/session.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import type { SessionReader, SignedIn } from '../../http/session-guard.ts';
import type { LiveBus } from '../../live/bus.ts';
import type { EndedSessions } from '../../live/sockets.ts';
import type { BreachedPasswords } from '../../ports/breached-passwords.ts';
import type { Sealer } from '../../secrets/sealer.ts';
import type { Logs } from '../logs/logs.service.ts';
import { Accounts } from './accounts.service.ts';
import { breachCheck } from './breach-check.ts';
import type { Caller } from './caller.ts';
import { ChangePassword, type PasswordChange } from './change-password.ts';
import { endAllSessions } from './end-all-sessions.ts';
import { endExpiredSessions } from './end-expired-sessions.ts';
import { LoginHint } from './login-hint.ts';
import { PasswordCheck } from './password-check.ts';
import { SecondFactor } from './second-factor/second-factor.ts';
import { SecondFactors } from './second-factor/second-factors.service.ts';
import { deleteSession, findSession, findStandingSessions } from './session.repo.ts';
import { SessionCache } from './session-cache.ts';
import { readToken, type SessionCookie } from './session-cookie.ts';
import { announceSessionEnd, followSessionEnds, onSessionEnd } from './session-ended.ts';
import { CachedSessionReader } from './session-reader.ts';
import { type KeyedHash, keyedHash } from './session-token.ts';
import { type Credentials, type OpenedSession, SignIn, type SignInFrom } from './sign-in.ts';
import { SignInGate } from './sign-in-gate.ts';
import { SignInThrottle } from './sign-in-throttle.ts';
import { signOut } from './sign-out.ts';
import { warnOfDefaultCredentials } from './warn-of-default-credentials.ts';

export interface SessionDependencies {
  db: Database;
  bus: LiveBus;
  logs: Logs;
  log: FastifyBaseLogger;
  /** The first account, made when there is none; and whether everybody has to have a second factor. */
  config: { ADMIN_USERNAME: string; ADMIN_PASSWORD: string; SECOND_FACTOR: 'optional' | 'required' };
  /** Seals the secrets of second factors. */
  sealer: Sealer;
  /** Mixed into the stored hashes of tokens. */
  secret: Buffer;
  /** Asked about new passwords; null where nobody is to be asked. */
  breachedPasswords?: BreachedPasswords | null;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

/** Makes the first account when there is none. */
export async function seedFirstAccount(on: Pick<SessionDependencies, 'db' | 'logs' | 'log' | 'config'>): Promise<void> {
  const { db, logs, log, config } = on;
  const first = { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD };
  if (await new Accounts(db, logs).seed(first)) {
    log.info(
      `The first account was made: ${first.username}. Set its password with: npm run user -- password ${first.username}`,
    );
  }
}

/** Who is signed in. The guard reads it; the routes of the session change it. */
export class Sessions implements SessionReader {
  readonly #db: Database;
  readonly #bus: LiveBus;
  readonly #logs: Logs;
  readonly #clock: () => number;
  readonly #hash: KeyedHash;
  readonly #cache = new SessionCache();
  readonly #throttle: SignInThrottle;
  readonly #signIn: SignIn;
  readonly #passwordChange: ChangePassword;
  readonly #reader: SessionReader;
  readonly #hint: LoginHint;
  readonly secondFactors: SecondFactors;

  constructor(dependencies: SessionDependencies) {
    const { db, bus, logs, log, secret, sealer, config, breachedPasswords = null, clock = Date.now } = dependencies;
    this.#db = db;
    this.#bus = bus;
    this.#logs = logs;
    this.#clock = clock;
    this.#hash = keyedHash(secret);
    followSessionEnds(bus, this.#cache);
    this.#throttle = new SignInThrottle(db, this.#hash, clock);
    const entrance = {
      ...{ db, logs, hash: this.#hash, throttle: this.#throttle, gate: new SignInGate(), clock },
      passwords: new PasswordCheck({ db, logs, throttle: this.#throttle }),
      secondFactor: new SecondFactor(sealer),
      required: config.SECOND_FACTOR === 'required',
    };
    this.#signIn = new SignIn(entrance);
    const isBreached = breachCheck(breachedPasswords, (error) =>
      log.warn({ err: error }, 'a new password was not looked up among the breached ones'),
    );
    this.#passwordChange = new ChangePassword({ ...entrance, isBreached });
    this.secondFactors = new SecondFactors({ ...entrance, forgetSessions: (id) => this.#cache.dropAccount(id) });
    this.#reader = new CachedSessionReader({ db, bus, cache: this.#cache, hash: this.#hash, clock });
    this.#hint = new LoginHint(db);
  }

  read(request: FastifyRequest, reply: FastifyReply): SignedIn | null | Promise<SignedIn | null> {
    return this.#reader.read(request, reply);
  }

  /**
   * Opens a session under a token that nobody has seen before, and ends the one the browser came with.
   * @throws AppError as `SignIn` does
   */
  async signIn(credentials: Credentials, from: SignInFrom): Promise<OpenedSession> {
    const opened = await this.#signIn.run(credentials, from);
    // Here, as in all below, at once: our own announcement takes a moment to come back.
    if (from.oldToken !== null) this.#cache.drop(this.#hash(from.oldToken));
    return opened;
  }

  /** Ends the session of that token, in every process; none is fine too. */
  async signOut(token: string | null): Promise<void> {
    if (token === null) return;
    const hash = this.#hash(token);
    await signOut({ db: this.#db, logs: this.#logs, hash, now: this.#clock() });
    this.#cache.drop(hash);
  }

  /** Ends every session of the account, this one included, in every process. */
  async signOutEverywhere(signedIn: SignedIn): Promise<void> {
    await this.#db.transaction().execute((tx) => endAllSessions(tx, this.#logs, signedIn));
    this.#cache.dropAccount(signedIn.accountId);
  }

  /**
   * Gives the account another password, ends its other sessions in every process, and opens a new one for the caller. End the one they
   * came with by `forget` once the new cookie has been sent.
   * @throws AppError `invalid_input` with the field, `too_many_requests` with the seconds to wait, or `unauthenticated`
   */
  async changePassword(change: PasswordChange, caller: Caller): Promise<SessionCookie> {
    const cookie = await this.#passwordChange.run(change, caller);
    this.#cache.dropAccount(caller.signedIn.accountId);
    return cookie;
  }

  /** Ends the session of a token that another one has replaced, in every process. */
  async forget(token: string): Promise<void> {
    const hash = this.#hash(token);
    await this.#db.transaction().execute(async (tx) => {
      await deleteSession(tx, hash, this.#clock());
      await announceSessionEnd(tx, hash);
    });
    this.#cache.drop(hash);
  }

  /**
   * Names the session that a signed-in request came with, without its secret.
   * @throws AppError `unauthenticated` when it came with none
   */
  nameOf(request: FastifyRequest): string {
    const token = readToken(request);
    if (token === null) throw new AppError('unauthenticated', 'Please sign in.');
    return this.#hash(token);
  }

  /** Asks the database which of these sessions, by their names, have not ended; for what lasts longer than a request. */
  standing(names: readonly string[]): Promise<ReadonlySet<string>> {
    return findStandingSessions(this.#db, names, this.#clock());
  }

  /** Calls the listener when sessions have ended, in whatever process. */
  onEnded(listener: (ended: EndedSessions) => void): void {
    onSessionEnd(this.#bus, listener);
  }

  /** Asks the database whether the session that a request came with still stands. */
  async isSignedIn(request: FastifyRequest): Promise<boolean> {
    const token = readToken(request);
    return token !== null && (await findSession(this.#db, this.#hash(token), this.#clock())) !== undefined;
  }

  /** The default credentials while they still open an account. */
  loginHint(): Promise<Pick<Answer<typeof loginHint>, 'defaultCredentials'>> {
    return this.#hint.read();
  }

  /** Logs a warning while the default credentials work, and resolves with it; to be called at a start that others can reach. */
  warnOfDefaultCredentials(): Promise<string | null> {
    return warnOfDefaultCredentials(this.#db, this.#logs, this.#hint);
  }

  /** Ends the sessions that have run out, their sockets with them. To be called every minute. */
  endExpired(): Promise<void> {
    return endExpiredSessions(this.#db, this.#logs, this.#clock());
  }

  /** Removes forgotten failures. To be called now and then. */
  sweep(): Promise<void> {
    return this.#throttle.sweep();
  }
}
