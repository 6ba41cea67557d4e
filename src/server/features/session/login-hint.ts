import type { Database } from '../../db/database.ts';
import { findAccount } from './accounts.repo.ts';
import { verifyPassword } from './passwords.ts';

/** What the first account gets when nothing else is configured. Public: it stands in the documentation. */
export const DEFAULT_CREDENTIALS = { username: 'admin', password: 'admin123' };

/**
 * Tells whether the default credentials still open an account. Only those are ever shown: a configured password is nobody's business.
 * A password is verified once per stored hash, since a hash that is the same means a password that is the same.
 */
export class LoginHint {
  readonly #db: Database;
  readonly #verify: typeof verifyPassword;
  #verified: { passwordHash: string; accepted: Promise<boolean> } | null = null;

  constructor(db: Database, verify = verifyPassword) {
    this.#db = db;
    this.#verify = verify;
  }

  async read(): Promise<{ defaultCredentials: typeof DEFAULT_CREDENTIALS | null }> {
    const account = await findAccount(this.#db, DEFAULT_CREDENTIALS.username);
    const accepted = account !== undefined && (await this.#accepts(account.password_hash));
    return { defaultCredentials: accepted ? DEFAULT_CREDENTIALS : null };
  }

  #accepts(passwordHash: string): Promise<boolean> {
    if (this.#verified?.passwordHash !== passwordHash) {
      const accepted = this.#verify(passwordHash, DEFAULT_CREDENTIALS.password);
      const verified = { passwordHash, accepted };
      this.#verified = verified;
      // A verification that failed says nothing of the password: the next one asks again.
      accepted.catch(() => {
        if (this.#verified === verified) this.#verified = null;
      });
    }
    return this.#verified.accepted;
  }
}
