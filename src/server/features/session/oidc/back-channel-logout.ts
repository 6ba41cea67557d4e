import { AppError } from '#server/app-error.ts';
import { AttemptLimit } from '#server/attempt-limit.ts';
import { type LogoutToken, RefusedIdentity } from '#server/ports/identity-provider.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { deleteSessionsAtProvider, insertLogoutToken } from './identities.repo.ts';
import type { SingleSignOnDeps } from './single-sign-on.ts';

/** Per address. More would fill the system logs. */
const LOGGED_REFUSALS_PER_MINUTE = 20;

/** The provider ends the sessions of people that it has signed out or removed. */
export class BackChannelLogout {
  readonly #deps: SingleSignOnDeps;
  readonly #logged = new AttemptLimit(LOGGED_REFUSALS_PER_MINUTE);

  constructor(deps: SingleSignOnDeps) {
    this.#deps = deps;
  }

  /**
   * Ends the sessions that the token names. Does nothing for a person who has none.
   * @throws AppError `invalid_input` for an invalid or used token, or `unavailable` while the
   * provider's keys cannot be read
   */
  async endSessions(token: string, address: string): Promise<void> {
    const { db, events, hash, onSessionEnded, clock } = this.#deps;
    const logout = await this.#readToken(token, address);
    const { issuer, id, expiresAt } = logout;
    const used = { hash: hash(`logout token ${issuer} ${id}`), expiresAt: new Date(expiresAt), now: new Date(clock()) };
    const ended = await db.transaction().execute(async (tx) => {
      if (!(await insertLogoutToken(tx, used))) return null;
      const sessions = await deleteSessionsAtProvider(tx, logout);
      for (const { hash: sessionId, accountId, username } of sessions)
        await events.record(tx, 'session.ended', {
          sessionId,
          account: { id: accountId, username },
          cause: { kind: 'provider' },
        });
      const [first] = sessions;
      if (first) await events.record(tx, 'single-sign-on.ended', { username: first.username, count: sessions.length });
      return sessions;
    });
    if (ended === null) return await this.#refuse('used before', address);
    for (const session of ended) onSessionEnded(session.hash);
  }

  async #readToken(token: string, address: string): Promise<LogoutToken> {
    try {
      return await this.#deps.provider.readLogoutToken(token);
    } catch (error) {
      if (error instanceof RefusedIdentity) return await this.#refuse(error.message, address);
      if (error instanceof UpstreamError) throw new AppError('unavailable', error.message, { cause: error });
      throw error;
    }
  }

  async #refuse(details: string, address: string): Promise<never> {
    if (!this.#logged.isReached(address)) {
      this.#logged.count(address);
      await this.#deps.events.record(this.#deps.db, 'logout-token.refused', { address, details });
    }
    throw new AppError('invalid_input', 'logout_token is not valid.', { field: 'logout_token' });
  }
}
