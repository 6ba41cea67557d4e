import { z } from 'zod';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { singleFlight } from '#server/async/single-flight.ts';
import type { AtsConnection, AtsConnectionStore } from '#server/ports/ats-connection.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import { upstreamErrorsOf } from '#server/ports/upstream-error.ts';
import type { BullhornSession, BullhornTokenPair, BullhornTokens } from './bullhorn-tokens.ts';

/** Stored as JSON, encrypted: add fields, never rename one. */
const SignIn = z.object({
  accessToken: z.string(),
  accessExpiresAt: z.number(),
  refreshToken: z.string(),
  session: z.object({ token: z.string(), restUrl: z.string() }).nullable(),
});
type SignIn = z.output<typeof SignIn>;

export interface OpenedSession {
  session: BullhornSession;
  isNew: boolean;
}

/** The stored form of a sign-in that has no session yet. */
export const newSignIn = (pair: BullhornTokenPair): string =>
  JSON.stringify({ ...pair, session: null } satisfies SignIn);

/**
 * The REST session that all processes share. If it is rejected, one process signs in for all of
 * them: with the access token, then with the refresh token. That one can be used once, so it is
 * replaced while the row is locked.
 */
export class BullhornSignIn {
  readonly #tokens: BullhornTokens;
  readonly #store: AtsConnectionStore;
  #session: BullhornSession | null = null;
  readonly #open = singleFlight(
    (rejected: string | null) => this.#openSession(rejected),
    (rejected) => rejected,
  );

  constructor(tokens: BullhornTokens, store: AtsConnectionStore) {
    this.#tokens = tokens;
    this.#store = store;
  }

  /**
   * Returns a session other than the rejected one. `isNew` is false if the session may have
   * expired.
   * @throws UpstreamError
   */
  async get(rejected: BullhornSession | null): Promise<OpenedSession> {
    const current = this.#session;
    if (current && current.token !== rejected?.token) return { session: current, isNew: false };
    const opened = await this.#open(rejected?.token ?? null);
    this.#session = opened.session;
    return opened;
  }

  /** Handles the rejection of a new session. @throws UpstreamError always */
  async giveUp(session: BullhornSession): Promise<never> {
    if (this.#session?.token === session.token) this.#session = null;
    await this.#store.change(async (current) =>
      readSignIn(current)?.session?.token === session.token ? { ...current, state: 'reconnect' } : null,
    );
    throw reconnectError();
  }

  async #openSession(rejected: string | null): Promise<OpenedSession> {
    let isNew = false;
    let connection = await this.#store.read();
    // Each step stores what Bullhorn issued: at most a rejected sign-in, a refresh and a sign-in.
    for (let hasRefreshed = false; ; ) {
      expectConnected(connection);
      const found = readSignIn(connection)?.session;
      if (found && found.token !== rejected) {
        rememberSecret(found.token);
        return { session: found, isNew };
      }
      connection = await this.#store.change(async (current) => {
        const signIn = readSignIn(current);
        if (current.state !== 'connected' || (signIn?.session && signIn.session.token !== rejected)) return null;
        const next = signIn && (await this.#renew(signIn, hasRefreshed));
        hasRefreshed = next?.session === null;
        isNew = Boolean(next?.session);
        return next ? { ...current, signIn: JSON.stringify(next) } : { ...current, state: 'reconnect' };
      });
    }
  }

  /** Resolves with a session or new tokens, or with null if Bullhorn accepts neither token. */
  async #renew(signIn: SignIn, hasRefreshed: boolean): Promise<SignIn | null> {
    if (hasRefreshed || signIn.accessExpiresAt > Date.now()) {
      const session = await this.#tokens.signIn(signIn.accessToken);
      if (session) return { ...signIn, session };
      if (hasRefreshed) return null;
    }
    const pair = await this.#tokens.refresh(signIn.refreshToken);
    return pair && { ...pair, session: null };
  }
}

const readSignIn = ({ signIn }: AtsConnection): SignIn | null =>
  signIn === null ? null : (SignIn.safeParse(parseJson(signIn)).data ?? null);

function expectConnected({ state }: AtsConnection): void {
  if (state === 'reconnect') throw reconnectError();
  if (state === 'not_configured')
    throw bullhornError('unauthorised', "Bullhorn isn't connected. Ask an admin to run `npm run ats:connect`.");
}

const reconnectError = () =>
  bullhornError('unauthorised', 'Bullhorn no longer accepts our sign-in. Ask an admin to run `npm run ats:connect`.');

const bullhornError = upstreamErrorsOf('Bullhorn');
