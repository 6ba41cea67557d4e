import type { Database } from '#server/db/database.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import { defaultCredentialsEntry } from '#server/features/session/sessions/session-log.ts';
import { findAccount } from './accounts.repo.ts';
import { verifyPassword } from './passwords.ts';

/**
 * The first account's credentials when nothing else is configured. The documentation names them.
 */
export const DEFAULT_CREDENTIALS = { username: 'admin', password: 'admin123' };

interface LoginHintDeps {
  db: Database;
  logs: Logs;
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

  /** Logs a warning while the default credentials work. Returns its text, or null. */
  async warnOfDefaultCredentials(): Promise<string | null> {
    const credentials = await this.findDefaultCredentials();
    if (!credentials) return null;
    const { username, password } = credentials;
    const summary =
      `This server is reachable by others and still accepts the default credentials (${username} / ${password}). ` +
      `Change the password now: Change password in the menu, or npm run user -- password ${username}`;
    await this.#deps.logs.write(this.#deps.db, defaultCredentialsEntry(summary));
    return summary;
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
