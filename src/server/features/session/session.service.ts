import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '#contracts/endpoint.ts';
import type { loginHint } from '#contracts/session.ts';
import type { Database } from '../../db/database.ts';
import type { SessionReader, SignedIn } from '../../http/session-guard.ts';
import type { LiveBus } from '../../live/bus.ts';
import type { Logs } from '../logs/logs.service.ts';
import { Accounts } from './accounts.service.ts';
import { type Caller, ChangePassword, type PasswordChange } from './change-password.ts';
import { endAllSessions } from './end-all-sessions.ts';
import { endExpiredSessions } from './end-expired-sessions.ts';
import { LoginHint } from './login-hint.ts';
import { printableName } from './printable-name.ts';
import { deleteSession, findSession } from './session.repo.ts';
import { SessionCache } from './session-cache.ts';
import { readToken, type SessionCookie } from './session-cookie.ts';
import { announceSessionEnd, followSessionEnds } from './session-ended.ts';
import { CachedSessionReader } from './session-reader.ts';
import { keyedHash } from './session-token.ts';
import { type Credentials, type OpenedSession, SignIn, type SignInFrom } from './sign-in.ts';
import { SignInGate } from './sign-in-gate.ts';
import { SignInThrottle } from './sign-in-throttle.ts';
import { warnOfDefaultCredentials } from './warn-of-default-credentials.ts';

export interface SessionDependencies {
  db: Database;
  bus: LiveBus;
  logs: Logs;
  log: FastifyBaseLogger;
  /** The first account, made when there is none. */
  config: { ADMIN_USERNAME: string; ADMIN_PASSWORD: string };
  /** Mixed into the stored hashes of tokens. */
  secret: Buffer;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

/** Who is signed in. The guard reads it; the routes of the session change it. */
export interface Sessions extends SessionReader {
  /**
   * Opens a session under a token that nobody has seen before, and ends the one the browser came with.
   * @throws AppError `wrong_credentials`, or `too_many_requests` with the seconds to wait
   */
  signIn(credentials: Credentials, from: SignInFrom): Promise<OpenedSession>;
  /** Ends the session of that token, in every process; none is fine too. */
  signOut(token: string | null): Promise<void>;
  /** Ends every session of the account, this one included, in every process. */
  signOutEverywhere(signedIn: SignedIn): Promise<void>;
  /**
   * Gives the account another password, ends its other sessions in every process, and opens a new one for the caller. End the one they
   * came with by `forget` once the new cookie has been sent.
   * @throws AppError `invalid_input` with the field, `too_many_requests` with the seconds to wait, or `unauthenticated`
   */
  changePassword(change: PasswordChange, caller: Caller): Promise<SessionCookie>;
  /** Ends the session of a token that another one has replaced, in every process. */
  forget(token: string): Promise<void>;
  /** Asks the database whether the session that a request came with still stands; for what lasts longer than a request. */
  isSignedIn(request: FastifyRequest): Promise<boolean>;
  /** Names the session that a request came with, without its secret; null when it came with none. */
  nameOf(request: FastifyRequest): string | null;
  /** The default credentials while they still open an account. */
  loginHint(): Promise<Pick<Answer<typeof loginHint>, 'defaultCredentials'>>;
  /** Logs a warning while the default credentials work, and resolves with it; to be called at a start that others can reach. */
  warnOfDefaultCredentials(): Promise<string | null>;
  /** Ends the sessions that have run out, their sockets with them. To be called every minute. */
  endExpired(): Promise<void>;
  /** Removes forgotten failures. To be called now and then. */
  sweep(): Promise<void>;
}

/** Makes the first account when there is none. */
export async function openSessions(dependencies: SessionDependencies): Promise<Sessions> {
  const { db, bus, logs, log, config, secret, clock = Date.now } = dependencies;
  const first = { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD };
  if (await new Accounts(db, logs).seed(first)) {
    log.info(
      `The first account was made: ${first.username}. Set its password with: npm run user -- password ${first.username}`,
    );
  }
  const hash = keyedHash(secret);
  const cache = new SessionCache();
  followSessionEnds(bus, cache);
  const throttle = new SignInThrottle(db, hash, clock);
  const entrance = { db, logs, hash, throttle, gate: new SignInGate(), clock };
  const signIn = new SignIn(entrance);
  const passwordChange = new ChangePassword(entrance);
  const reader = new CachedSessionReader({ db, bus, cache, hash, clock });
  const hint = new LoginHint(db);

  return {
    read: (request: FastifyRequest, reply: FastifyReply): SignedIn | null | Promise<SignedIn | null> =>
      reader.read(request, reply),

    async signIn(credentials, from) {
      const opened = await signIn.run(credentials, from);
      // Here at once, without waiting for our own announcement to come back.
      if (from.oldToken !== null) cache.drop(hash(from.oldToken));
      return opened;
    },

    async signOut(token) {
      if (token === null) return;
      const key = hash(token);
      await db.transaction().execute(async (tx) => {
        const username = await deleteSession(tx, key, clock());
        if (username === undefined) return;
        await announceSessionEnd(tx, key);
        const name = printableName(username);
        await logs.write(tx, {
          type: 'auth',
          action: 'sign-out',
          status: 'success',
          summary: `${name} signed out.`,
          metadata: { username: name },
        });
      });
      cache.drop(key);
    },

    async signOutEverywhere(signedIn) {
      await db.transaction().execute((tx) => endAllSessions(tx, logs, signedIn));
      // Here at once, without waiting for our own announcement to come back.
      cache.dropAccount(signedIn.accountId);
    },

    async changePassword(change, caller) {
      const cookie = await passwordChange.run(change, caller);
      // Here at once, without waiting for our own announcement to come back.
      cache.dropAccount(caller.signedIn.accountId);
      return cookie;
    },

    async forget(token) {
      await db.transaction().execute(async (tx) => {
        await deleteSession(tx, hash(token), clock());
        await announceSessionEnd(tx, hash(token));
      });
      cache.drop(hash(token));
    },

    nameOf(request) {
      const token = readToken(request);
      return token === null ? null : hash(token);
    },

    async isSignedIn(request) {
      const token = readToken(request);
      return token !== null && (await findSession(db, hash(token), clock())) !== undefined;
    },

    loginHint: () => hint.read(),

    warnOfDefaultCredentials: () => warnOfDefaultCredentials(db, logs, hint),

    endExpired: () => endExpiredSessions(db, logs, clock()),

    sweep: () => throttle.sweep(),
  };
}
