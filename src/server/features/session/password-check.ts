import type { Selectable } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import type { DB } from '../../db/tables.ts';
import type { Logs } from '../logs/logs.service.ts';
import { findAccount } from './accounts.repo.ts';
import { verifyPassword } from './passwords.ts';
import { printableName } from './printable-name.ts';
import { type Attempt, inWords, type SignInThrottle } from './sign-in-throttle.ts';

interface Dependencies {
  db: Database;
  logs: Logs;
  throttle: SignInThrottle;
  /** Another one than our own counts for tests. */
  verify?: typeof verifyPassword;
}

export interface NameAndPassword {
  username: string;
  password: string;
}

/** Whose password was right, and the try that said so. */
export interface Proven {
  account: Pick<Selectable<DB['account']>, 'id' | 'username' | 'password_hash'>;
  attempt: Attempt;
  /** How long the next try waits, should this one fail all the same. */
  waitMs: number;
}

/** The first factor of a sign-in. */
export class PasswordCheck {
  readonly #on: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#on = dependencies;
  }

  /** The try counts as failed until it is said to have succeeded. @throws AppError `wrong_credentials` or `too_many_requests` */
  async demand({ username, password }: NameAndPassword, address: string): Promise<Proven> {
    const { db, throttle, verify = verifyPassword } = this.#on;
    const account = await findAccount(db, username);
    const attempt = { name: account ? `account ${account.id}` : `nobody ${username.toLowerCase()}`, address };
    const waitMs = await throttle.begin(attempt);
    // The same work for a name that nobody has: the time of an answer must not tell which names exist.
    const right = await verify(account?.password_hash, password);
    return account && right ? { account, attempt, waitMs } : await this.refuse(username, { address, waitMs });
  }

  /**
   * The tries that are refused unheard until the wait is over are not logged one by one: a flood of them must not fill the table.
   * @throws AppError `wrong_credentials`, always
   */
  async refuse(username: string, { address, waitMs }: { address: string; waitMs: number }): Promise<never> {
    const wait = waitMs === 0 ? '' : ` Further tries wait ${inWords(waitMs / 1_000)}.`;
    await this.#on.logs.write(this.#on.db, {
      type: 'error',
      action: 'sign-in',
      status: 'error',
      summary: `Failed sign-in as ${printableName(username)}.${wait}`,
      metadata: { username: printableName(username), address, waitSeconds: waitMs / 1_000 },
    });
    throw new AppError('wrong_credentials', 'Invalid username or password');
  }
}
