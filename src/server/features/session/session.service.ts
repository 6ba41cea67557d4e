import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { FoundSession, SessionReader, SignedIn } from '#server/http/guards/session-guard.ts';
import type { LiveBus } from '#server/live/bus.ts';
import type { Rights } from '#server/live/receivers.ts';
import type { ChangedSessions } from '#server/live/sockets.ts';
import type { Log } from '#server/ports/log.ts';
import { Accounts } from './accounts/accounts.service.ts';
import { DEFAULT_CREDENTIALS } from './accounts/login-hint.ts';
import { checkNewPassword } from './accounts/password-policy.ts';
import { CachedSessions } from './sessions/cached-sessions.ts';
import { findSession, listRightsOfSessions } from './sessions/session.repo.ts';
import { onSessionChange } from './sessions/session-events.ts';
import { endExpiredSessions, endSession, signOut, signOutEverywhere } from './sessions/session-lifecycle.ts';
import { readSession } from './sessions/session-reader.ts';
import type { KeyedHash } from './sessions/session-token.ts';

export interface SessionsDeps {
  db: Database;
  bus: LiveBus;
  events: Events;
  hash: KeyedHash;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

interface FirstAccount {
  ADMIN_USERNAME: string;
  ADMIN_PASSWORD: string;
}

interface SeedDeps {
  db: Database;
  events: Events;
  log: Log;
  config: FirstAccount;
}

/**
 * Returns why the configured password of the first account is weak, or null. The default is
 * accepted: it must work at the first start on this machine, and elsewhere it only allows a change
 * of the password.
 */
export async function weaknessOfFirstPassword(config: FirstAccount): Promise<string | null> {
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
export const isFirstPasswordDefault = ({ ADMIN_PASSWORD: password }: FirstAccount): boolean =>
  password === DEFAULT_CREDENTIALS.password;

/** Creates the first account when there is none. */
export async function seedFirstAccount(deps: SeedDeps): Promise<void> {
  const { db, events, log, config } = deps;
  const first = { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD };
  if (await new Accounts(db, events).seed(first)) {
    log.info(
      `Created the first account: ${first.username}. Set its password with: npm run user -- password ${first.username}`,
    );
  }
}

/**
 * Reads and ends sessions. The methods that end sessions also evict them from this process's cache
 * right away, because its own announcement arrives later.
 */
export class Sessions implements SessionReader {
  readonly #deps: SessionsDeps;
  readonly #clock: () => number;
  readonly #cached: CachedSessions;

  constructor(deps: SessionsDeps) {
    const { db, bus, hash, clock = Date.now } = deps;
    this.#deps = deps;
    this.#clock = clock;
    this.#cached = new CachedSessions({ bus, clock, read: (token, now) => readSession({ db, hash }, token, now) });
  }

  findSession(token: string | null): FoundSession | null | Promise<FoundSession | null> {
    return token === null ? null : this.#cached.find(token);
  }

  async signOut(token: string | null): Promise<void> {
    if (token === null) return;
    const hash = this.#deps.hash(token);
    await this.#deps.db.transaction().execute((tx) => signOut(tx, this.#deps.events, { hash, now: this.#clock() }));
    this.#cached.evict(hash);
  }

  async signOutEverywhere(signedIn: SignedIn): Promise<void> {
    await this.#deps.db.transaction().execute((tx) => signOutEverywhere(tx, this.#deps.events, signedIn));
    this.#cached.evictAccount(signedIn.accountId);
  }

  /** Ends a session that a new one has replaced. */
  async endReplaced(token: string): Promise<void> {
    const hash = this.#deps.hash(token);
    await this.#deps.db.transaction().execute((tx) => endSession(tx, this.#deps.events, { hash, now: this.#clock() }));
    this.#cached.evict(hash);
  }

  /**
   * Returns the id of a session, which is the hash of its token.
   * @throws AppError `unauthenticated` without a token
   */
  idOf(token: string | null): string {
    if (token === null) throw new AppError('unauthenticated', 'Sign in to continue.');
    return this.#deps.hash(token);
  }

  /**
   * Returns the rights of those sessions that are active. Queries the database and bypasses the
   * cache.
   */
  findRights(ids: readonly string[]): Promise<ReadonlyMap<string, Rights>> {
    return listRightsOfSessions(this.#deps.db, ids, this.#clock());
  }

  /** Queries the database and bypasses the cache. Does not extend the session. */
  async isActive(token: string | null): Promise<boolean> {
    return token !== null && (await findSession(this.#deps.db, this.#deps.hash(token), this.#clock())) !== undefined;
  }

  /** Calls the listener when sessions have ended or have other rights, in any process. */
  onChanged(listener: (changed: ChangedSessions) => void): void {
    onSessionChange(this.#deps.bus, listener);
  }

  /** Call it after a session ended. */
  evict(hash: string): void {
    this.#cached.evict(hash);
  }

  /** Call it after all sessions of an account ended. */
  evictAccount(accountId: number): void {
    this.#cached.evictAccount(accountId);
  }

  /** Call it every minute. */
  endExpired(): Promise<void> {
    return endExpiredSessions(this.#deps.db, this.#deps.events, this.#clock());
  }
}
