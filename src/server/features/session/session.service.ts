import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { FoundSession, SessionReader, SignedIn } from '#server/http/guards/session-guard.ts';
import type { LiveBus } from '#server/live/bus.ts';
import type { EndedSessions } from '#server/live/sockets.ts';
import type { BreachedPasswords } from '#server/ports/breached-passwords.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { Accounts } from './accounts/accounts.service.ts';
import { DEFAULT_CREDENTIALS, LoginHint } from './accounts/login-hint.ts';
import { breachCheck, checkNewPassword } from './accounts/password-policy.ts';
import { OwnDevices } from './own-account/own-devices.ts';
import { OwnPassword } from './own-account/own-password.ts';
import { OwnSecondFactor } from './own-account/own-second-factor.ts';
import { Reauthentication } from './own-account/reauthentication.ts';
import { SecondFactorCodes } from './second-factor/second-factor-codes.ts';
import { findSession, listActiveSessions } from './sessions/session.repo.ts';
import { SessionCache } from './sessions/session-cache.ts';
import { evictEndedSessions, onSessionEnd } from './sessions/session-events.ts';
import { endExpiredSessions, endSession, signOut, signOutEverywhere } from './sessions/session-lifecycle.ts';
import { CachedSessionReader } from './sessions/session-reader.ts';
import { type KeyedHash, keyedHash } from './sessions/session-token.ts';
import { CodeCheck } from './sign-in/code-check.ts';
import { DefaultPassword } from './sign-in/default-password.ts';
import { PasswordCheck } from './sign-in/password-check.ts';
import { RequiredSetup } from './sign-in/required-setup.ts';
import { type Credentials, SignIn, type SignInOrigin, type StartedSession } from './sign-in/sign-in.ts';
import { SignInGate } from './sign-in/sign-in-gate.ts';
import { SignInThrottle } from './sign-in/sign-in-throttle.ts';

export interface SessionDeps {
  db: Database;
  bus: LiveBus;
  events: Events;
  log: FastifyBaseLogger;
  config: { ADMIN_USERNAME: string; ADMIN_PASSWORD: string; SECOND_FACTOR: 'optional' | 'required' };
  /** Seals the secrets of second factors. */
  sealer: Sealer;
  /** The key of the stored token hashes. */
  secret: Buffer;
  /** Null: new passwords are not looked up. */
  breachedPasswords?: BreachedPasswords | null;
  /** Other machines can connect. The default password then opens only its own replacement. */
  isReachable?: boolean;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

/**
 * Returns why the configured password of the first account is weak, or null. The default is
 * accepted: it must work at the first start on this machine, and opens nothing elsewhere.
 */
export async function weaknessOfFirstPassword(config: SessionDeps['config']): Promise<string | null> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = config;
  if (isFirstPasswordDefault(config)) return null;
  try {
    await checkNewPassword(password, { username, field: 'ADMIN_PASSWORD', isBreached: async () => false });
    return null;
  } catch (error) {
    if (error instanceof AppError) return `ADMIN_PASSWORD is not accepted: ${error.message}`;
    throw error;
  }
}

/** True when the first account will have the password that the login screen shows. */
export const isFirstPasswordDefault = ({ ADMIN_PASSWORD: password }: SessionDeps['config']): boolean =>
  password === DEFAULT_CREDENTIALS.password;

/** Creates the first account when there is none. */
export async function seedFirstAccount(deps: Pick<SessionDeps, 'db' | 'events' | 'log' | 'config'>): Promise<void> {
  const { db, events, log, config } = deps;
  const first = { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD };
  if (await new Accounts(db, events).seed(first)) {
    log.info(
      `Created the first account: ${first.username}. Set its password with: npm run user -- password ${first.username}`,
    );
  }
}

/**
 * Everything about sessions that other parts of the server use. The methods that end sessions
 * also evict them from this process's cache right away, because its own announcement arrives
 * later.
 */
export class Sessions implements SessionReader {
  readonly #db: Database;
  readonly #bus: LiveBus;
  readonly #events: Events;
  readonly #clock: () => number;
  readonly #hash: KeyedHash;
  readonly #cache = new SessionCache();
  readonly #reader: SessionReader;
  readonly #throttle: SignInThrottle;
  readonly #signIn: SignIn;
  readonly requiredSetup: RequiredSetup;
  readonly defaultPassword: DefaultPassword;
  readonly ownDevices: OwnDevices;
  readonly ownPassword: OwnPassword;
  readonly ownSecondFactor: OwnSecondFactor;
  readonly loginHint: LoginHint;

  constructor(deps: SessionDeps) {
    const { db, bus, events, log, config, isReachable = false, clock = Date.now } = deps;
    const hash = keyedHash(deps.secret);
    this.#db = db;
    this.#bus = bus;
    this.#events = events;
    this.#clock = clock;
    this.#hash = hash;
    this.#reader = new CachedSessionReader({ db, bus, cache: this.#cache, hash, clock });
    evictEndedSessions(bus, this.#cache);
    this.loginHint = new LoginHint({ db, events, hash, isReachable });

    const throttle = new SignInThrottle(db, hash, clock);
    this.#throttle = throttle;
    const gate = new SignInGate(throttle);
    const passwords = new PasswordCheck({ db, events, throttle, hash });
    const codes = new CodeCheck({ db, events, throttle });
    const secondFactor = new SecondFactorCodes(deps.sealer);
    const isFactorRequired = config.SECOND_FACTOR === 'required';
    const signInDeps = {
      db,
      events,
      hash,
      throttle,
      gate,
      passwords,
      codes,
      secondFactor,
      isFactorRequired,
      isReachable,
      clock,
    };
    const onSessionsEnded = (accountId: number) => this.#cache.evictAccount(accountId);
    this.#signIn = new SignIn(signInDeps);
    this.requiredSetup = new RequiredSetup({ ...signInDeps, onSessionsEnded });
    const isBreached = breachCheck(deps.breachedPasswords ?? null, (error) =>
      log.warn({ err: error }, 'Looking up a new password among breached ones failed'),
    );
    const proofDeps = { db, events, throttle, gate, codes, secondFactor, clock };
    const reauthentication = new Reauthentication({ ...proofDeps, action: 'second-factor' });
    this.defaultPassword = new DefaultPassword({ ...signInDeps, isBreached, onSessionsEnded });
    this.ownPassword = new OwnPassword({
      ...{ events, hash, isBreached, onSessionsEnded },
      reauthentication: new Reauthentication({ ...proofDeps, action: 'change-password' }),
    });
    this.ownDevices = new OwnDevices({ db, events, hash, onSessionEnded: (ended) => this.#cache.evict(ended), clock });
    this.ownSecondFactor = new OwnSecondFactor({
      ...{ db, events, hash, throttle, gate, secondFactor, reauthentication },
      ...{ isFactorRequired, onSessionsEnded, clock },
    });
  }

  findSession(token: string | null): FoundSession | null | Promise<FoundSession | null> {
    return this.#reader.findSession(token);
  }

  /** Starts a session and ends the one that the browser had. Throws as `SignIn` does. */
  async signIn(credentials: Credentials, origin: SignInOrigin): Promise<StartedSession> {
    const started = await this.#signIn.signIn(credentials, origin);
    if (origin.oldToken !== null) this.#cache.evict(this.#hash(origin.oldToken));
    return started;
  }

  async signOut(token: string | null): Promise<void> {
    if (token === null) return;
    const hash = this.#hash(token);
    await this.#db.transaction().execute((tx) => signOut(tx, this.#events, { hash, now: this.#clock() }));
    this.#cache.evict(hash);
  }

  async signOutEverywhere(signedIn: SignedIn): Promise<void> {
    await this.#db.transaction().execute((tx) => signOutEverywhere(tx, this.#events, signedIn));
    this.#cache.evictAccount(signedIn.accountId);
  }

  /** Ends a session that a new one has replaced. */
  async endReplaced(token: string): Promise<void> {
    const hash = this.#hash(token);
    await this.#db.transaction().execute((tx) => endSession(tx, this.#events, { hash, now: this.#clock() }));
    this.#cache.evict(hash);
  }

  /**
   * Returns the id of a session, which is the hash of its token.
   * @throws AppError `unauthenticated` without a token
   */
  idOf(token: string | null): string {
    if (token === null) throw new AppError('unauthenticated', 'Sign in to continue.');
    return this.#hash(token);
  }

  /**
   * Returns the given sessions that are active. Queries the database and bypasses the cache.
   */
  listActive(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return listActiveSessions(this.#db, ids, this.#clock());
  }

  /** Queries the database and bypasses the cache. Does not extend the session. */
  async isActive(token: string | null): Promise<boolean> {
    return token !== null && (await findSession(this.#db, this.#hash(token), this.#clock())) !== undefined;
  }

  /** Calls the listener when sessions have ended in any process. */
  onEnded(listener: (ended: EndedSessions) => void): void {
    onSessionEnd(this.#bus, listener);
  }

  /** Call it every minute. */
  endExpired(): Promise<void> {
    return endExpiredSessions(this.#db, this.#events, this.#clock());
  }

  /** Deletes old failures to sign in. Call it every hour. */
  deleteOldFailures(): Promise<void> {
    return this.#throttle.deleteOldFailures();
  }
}
