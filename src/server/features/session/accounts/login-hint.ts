import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { describeDefaultCredentials } from '#server/features/session/session-log.ts';
import { endSessionsOfAccount } from '#server/features/session/sessions/session-lifecycle.ts';
import type { KeyedHash } from '#server/features/session/sessions/session-token.ts';
import { findAccount } from './accounts.repo.ts';
import { verifyPassword } from './passwords.ts';
import { startCodeOf } from './start-code.ts';

/**
 * The first account's credentials when nothing else is configured. The documentation names them.
 */
export const DEFAULT_CREDENTIALS = { username: 'admin', password: 'admin123' };

interface LoginHintDeps {
  db: Database;
  events: Events;
  hash: KeyedHash;
  /** True when other machines can connect. The credentials are then not shown. */
  isReachable?: boolean;
  /** Replaced in tests, to count calls. */
  verify?: typeof verifyPassword;
}

/**
 * Reports whether the default credentials work. Never reports configured ones. Verifies once per
 * stored hash, because the result for the same hash is the same.
 */
export class LoginHint {
  readonly #deps: LoginHintDeps;
  #verified: { passwordHash: string; accepted: Promise<boolean> } | null = null;

  constructor(deps: LoginHintDeps) {
    this.#deps = deps;
  }

  async findDefaultCredentials(): Promise<typeof DEFAULT_CREDENTIALS | null> {
    const account = await findAccount(this.#deps.db, DEFAULT_CREDENTIALS.username);
    const accepted = account !== undefined && (await this.#accepts(account.password_hash));
    return accepted ? DEFAULT_CREDENTIALS : null;
  }

  /** The credentials for the login screen. Null where others would see them. */
  async findShownCredentials(): Promise<typeof DEFAULT_CREDENTIALS | null> {
    return this.#deps.isReachable ? null : await this.findDefaultCredentials();
  }

  /**
   * While the default credentials work, ends the sessions of their account and records it.
   * Returns the text for the console, or null. Only the console shows the start code.
   */
  async warnOfDefaultCredentials(): Promise<string | null> {
    const { db, events, hash } = this.#deps;
    const credentials = await this.findDefaultCredentials();
    if (!credentials) return null;
    const { username } = credentials;
    const account = await findAccount(db, username);
    if (!account) return null;
    await db.transaction().execute(async (tx) => {
      await endSessionsOfAccount(tx, events, account.id);
      await events.record(tx, 'default-credentials.found', { username });
    });
    return `${describeDefaultCredentials(username)}\nStart code: ${startCodeOf(hash, account.password_hash)}`;
  }

  #accepts(passwordHash: string): Promise<boolean> {
    if (this.#verified?.passwordHash !== passwordHash) {
      const { verify = verifyPassword } = this.#deps;
      const accepted = verify(passwordHash, DEFAULT_CREDENTIALS.password);
      const verified = { passwordHash, accepted };
      this.#verified = verified;
      // A failed verification has no result: the next call verifies again.
      accepted.catch(() => {
        if (this.#verified === verified) this.#verified = null;
      });
    }
    return this.#verified.accepted;
  }
}
