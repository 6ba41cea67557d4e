import { AppError } from '../../app-error.ts';
import type { Database, Executor } from '../../db/database.ts';
import type { Logs } from '../logs/logs.service.ts';
import {
  allAccounts,
  anyAccount,
  changePasswordHash,
  deleteAccount,
  findAccount,
  insertAccount,
  lockAccounts,
  lockAccountTable,
} from './accounts.repo.ts';
import { breachCheck, type IsBreached } from './breach-check.ts';
import { demandPassword } from './demand-password.ts';
import { endAllSessions } from './end-all-sessions.ts';
import { hashPassword } from './passwords.ts';
import { deleteFactor } from './second-factor/second-factor.repo.ts';
import { deleteSessionsOfAccount } from './session.repo.ts';
import { announceAccountChange } from './session-ended.ts';

const LONGEST_NAME = 200;

interface NameAndPassword {
  username: string;
  password: string;
}

/**
 * The accounts that may sign in. Changes end the account's sessions in every process at once, and stand in the system log.
 * Every error is an AppError whose message a person can act on.
 */
export class Accounts {
  readonly #db: Database;
  readonly #logs: Logs;
  readonly #isBreached: IsBreached;

  constructor(db: Database, logs: Logs, isBreached: IsBreached = breachCheck(null, () => {})) {
    this.#db = db;
    this.#logs = logs;
    this.#isBreached = isBreached;
  }

  /** In the order they were made. */
  async list(): Promise<{ username: string; createdAt: Date; hasSecondFactor: boolean }[]> {
    const rows = await allAccounts(this.#db);
    return rows.map(({ username, created_at, confirmed_at }) => ({
      username,
      createdAt: created_at,
      hasSecondFactor: confirmed_at !== null,
    }));
  }

  /** Makes the first account when there is none, also when several processes start at once. True when it was made here. */
  async seed({ username, password }: NameAndPassword): Promise<boolean> {
    if (await anyAccount(this.#db)) return false;
    const passwordHash = await hashPassword(password);
    return this.#db.transaction().execute(async (tx) => {
      await lockAccountTable(tx);
      if (await anyAccount(tx)) return false;
      await insertAccount(tx, username, passwordHash);
      await this.#log(tx, 'add-account', `The first account, ${username}, was made.`, username);
      return true;
    });
  }

  async add({ username, password }: NameAndPassword): Promise<void> {
    const name = demandName(username);
    const passwordHash = await this.#hashOf(password, name);
    await this.#db.transaction().execute(async (tx) => {
      const added = await insertAccount(tx, name, passwordHash);
      if (!added) throw new AppError('conflict', `There is an account named ${name} already.`, { field: 'username' });
      await this.#log(tx, 'add-account', `Account ${name} was added.`, name);
    });
  }

  /** Sets a new password; whoever is signed in with the old one is signed out. */
  async changePassword({ username, password }: NameAndPassword): Promise<void> {
    const passwordHash = await this.#hashOf(password, username);
    await this.#db.transaction().execute(async (tx) => {
      const changed = await changePasswordHash(tx, username, passwordHash);
      if (!changed) throw noSuchAccount(username);
      await deleteSessionsOfAccount(tx, changed.id);
      await announceAccountChange(tx, changed.id);
      await this.#log(tx, 'change-password', `The password of ${changed.username} was changed.`, changed.username);
    });
  }

  /** Ends every session of an account. Resolves with how many there were. */
  async signOut(username: string): Promise<number> {
    return await this.#db.transaction().execute(async (tx) => {
      const account = await findAccount(tx, username);
      if (!account) throw noSuchAccount(username);
      return await endAllSessions(tx, this.#logs, { accountId: account.id, username: account.username });
    });
  }

  /** For who has lost app and recovery codes: the password alone signs in again. Whoever is signed in is signed out. */
  async resetSecondFactor(username: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const account = await findAccount(tx, username);
      if (!account) throw noSuchAccount(username);
      if (!(await deleteFactor(tx, account.id)))
        throw new AppError('conflict', `${account.username} has no second factor.`);
      await deleteSessionsOfAccount(tx, account.id);
      await announceAccountChange(tx, account.id);
      const summary = `The second factor of ${account.username} was removed.`;
      await this.#log(tx, 'reset-second-factor', summary, account.username);
    });
  }

  /** Removes an account and signs it out. The last one stays: nobody could sign in any more. */
  async remove(username: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const accounts = await lockAccounts(tx);
      const account = await findAccount(tx, username);
      if (!account) throw noSuchAccount(username);
      if (accounts.length === 1) {
        throw new AppError('conflict', `${account.username} is the last account. Add another one first.`);
      }
      await deleteAccount(tx, account.id);
      await announceAccountChange(tx, account.id);
      await this.#log(tx, 'remove-account', `Account ${account.username} was removed.`, account.username);
    });
  }

  async #hashOf(password: string, username: string): Promise<string> {
    return hashPassword(await demandPassword(password, { username, field: 'password', isBreached: this.#isBreached }));
  }

  #log(tx: Executor, action: string, summary: string, username: string): Promise<void> {
    return this.#logs.write(tx, { type: 'system', action, status: 'success', summary, metadata: { username } });
  }
}

const noSuchAccount = (username: string) => new AppError('not_found', `There is no account named ${username}.`);

/** Trimmed, as the sign-in form sends it. */
function demandName(username: string): string {
  const name = username.trim();
  if (name === '' || name.length > LONGEST_NAME || /\p{C}/u.test(name)) {
    const message = `A name has 1 to ${LONGEST_NAME} characters, all of them visible.`;
    throw new AppError('invalid_input', message, { field: 'username' });
  }
  return name;
}
