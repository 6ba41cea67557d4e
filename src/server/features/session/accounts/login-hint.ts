import { LRUCache } from 'lru-cache';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { describeDefaultCredentials } from '#server/features/session/session-log.ts';
import { endSessionsOfAccount } from '#server/features/session/sessions/session-lifecycle.ts';
import type { KeyedHash } from '#server/features/session/sessions/session-token.ts';
import { type AccountRow, findAccount } from './accounts.repo.ts';
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

/** Reports whether the default credentials work. Never reports configured ones. */
export class LoginHint {
  readonly #deps: LoginHintDeps;
  /** Each stored hash is verified once. A failed verification has no result. */
  readonly #isDefault: LRUCache<string, boolean>;

  constructor(deps: LoginHintDeps) {
    this.#deps = deps;
    const { verify = verifyPassword } = deps;
    this.#isDefault = new LRUCache({
      max: 10,
      fetchMethod: (passwordHash) => verify(passwordHash, DEFAULT_CREDENTIALS.password),
    });
  }

  /** The credentials for the login screen. Null where others would see them. */
  async findShownCredentials(): Promise<typeof DEFAULT_CREDENTIALS | null> {
    if (this.#deps.isReachable) return null;
    return (await this.#findDefaultAccount()) && DEFAULT_CREDENTIALS;
  }

  /**
   * While the default credentials work, ends the sessions of their account and records it.
   * Returns the text for the console, or null. Only the console shows the start code.
   */
  async warnOfDefaultCredentials(): Promise<string | null> {
    const { db, events, hash } = this.#deps;
    const account = await this.#findDefaultAccount();
    if (!account) return null;
    const { username } = DEFAULT_CREDENTIALS;
    await db.transaction().execute(async (tx) => {
      await endSessionsOfAccount(tx, events, account.id);
      await events.record(tx, 'default-credentials.found', { username });
    });
    return `${describeDefaultCredentials(username)}\nStart code: ${startCodeOf(hash, account.password_hash)}`;
  }

  async #findDefaultAccount(): Promise<AccountRow | null> {
    const account = await findAccount(this.#deps.db, DEFAULT_CREDENTIALS.username);
    return account && (await this.#isDefault.fetch(account.password_hash)) ? account : null;
  }
}
