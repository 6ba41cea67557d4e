import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { noticeReference, withdrawMails } from '#server/features/mail/mail.service.ts';
import { deleteFactor } from '#server/features/session/second-factor/second-factor.repo.ts';
import { endSessionsOfAccount, signOutEverywhere } from '#server/features/session/sessions/session-lifecycle.ts';
import type { AccountRow } from './accounts.repo.ts';
import * as repo from './accounts.repo.ts';
import { invitationReference } from './invitation-mail.ts';
import { breachCheck, checkNewPassword, type IsBreached } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { findSignedIn, listEnabledAdministrators, listEnabledRecipients, type Recipient } from './signed-in.repo.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

export type { Recipient } from './signed-in.repo.ts';

const MAX_USERNAME_LENGTH = 200;

export interface NameAndPassword {
  username: string;
  password: string;
}

/** The funnels that an existing account sees. Null: all of them. */
export async function visibleFunnelsOf(db: Executor, accountId: number): Promise<readonly number[] | null> {
  return (await findSignedIn(db, accountId)).funnelIds;
}

/** Returns the ids of the enabled ones. */
export const listAdministrators = (db: Executor): Promise<number[]> => listEnabledAdministrators(db);

/** The enabled accounts that see a funnel, by name. */
export const listColleagues = (db: Executor, funnelId: number): Promise<{ id: number; username: string }[]> =>
  repo.listAccountsOfFunnel(db, funnelId);

/** Omits disabled and deleted accounts. */
export const listRecipients = (db: Executor, ids: readonly number[]): Promise<Recipient[]> =>
  listEnabledRecipients(db, ids);

/**
 * Account management by an administrator. Each change ends the account's sessions in every
 * process and is logged. Every error is an AppError with a message for the administrator.
 */
export class Accounts {
  readonly #db: Database;
  readonly #events: Events;
  readonly #isBreached: IsBreached;

  constructor(db: Database, events: Events, isBreached: IsBreached = breachCheck(null, () => {})) {
    this.#db = db;
    this.#events = events;
    this.#isBreached = isBreached;
  }

  /** Returns all accounts in the order of their creation. */
  list() {
    return repo.listAccounts(this.#db);
  }

  /**
   * Creates the first account when there is none. Returns true when this call created it, which
   * only one of several processes does that start concurrently.
   */
  async seed({ username, password }: NameAndPassword): Promise<boolean> {
    if (await repo.hasAccounts(this.#db)) return false;
    const passwordHash = await hashPassword(password);
    return this.#db.transaction().execute(async (tx) => {
      await repo.lockAccountTable(tx);
      if (await repo.hasAccounts(tx)) return false;
      await repo.insertAccount(tx, username, passwordHash);
      await this.#events.record(tx, 'account.changed', { username, change: 'first' });
      return true;
    });
  }

  async add({ username, password }: NameAndPassword): Promise<void> {
    const name = validUsername(username);
    const passwordHash = await this.#hashNewPassword(password, name);
    await this.#db.transaction().execute(async (tx) => {
      const added = await repo.insertAccount(tx, name, passwordHash);
      if (!added) throw new AppError('conflict', `An account named ${name} already exists.`, { field: 'username' });
      await this.#events.record(tx, 'account.changed', { username: name, change: 'added' });
    });
  }

  async changePassword({ username, password }: NameAndPassword): Promise<void> {
    const passwordHash = await this.#hashNewPassword(password, username);
    await this.#db.transaction().execute(async (tx) => {
      const changed = await repo.updatePasswordHash(tx, username, passwordHash);
      if (!changed) throw noSuchAccount(username);
      await withdrawInvitation(tx, changed.id);
      await endSessionsOfAccount(tx, this.#events, changed.id);
      await this.#events.record(tx, 'account.changed', { username: changed.username, change: 'password' });
    });
  }

  /** Returns the number of sessions that it has ended. */
  async signOut(username: string): Promise<number> {
    return await this.#db.transaction().execute(async (tx) => {
      const account = await existingAccount(tx, username);
      return await signOutEverywhere(tx, this.#events, { accountId: account.id, username: account.username });
    });
  }

  /** For users who lost their app and recovery codes: the password alone signs in again. */
  async resetSecondFactor(username: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const account = await existingAccount(tx, username);
      if (!(await deleteFactor(tx, account.id)))
        throw new AppError('conflict', `${account.username} has no second factor.`);
      await endSessionsOfAccount(tx, this.#events, account.id);
      await this.#events.record(tx, 'account.changed', { username: account.username, change: 'factor-removed' });
    });
  }

  /** @throws AppError `not_found` if no account has this name */
  async expectExists(username: string): Promise<void> {
    await existingAccount(this.#db, username);
  }

  /** Never removes the last enabled administrator. */
  async remove(username: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const accounts = await repo.lockAccounts(tx);
      const account = await existingAccount(tx, username);
      if (accounts.length === 1)
        throw new AppError('conflict', `${account.username} is the last account. Add another one first.`);
      expectAdministratorLeft(accounts, account.id);
      await repo.deleteAccount(tx, account.id);
      await withdrawMails(tx, [invitationReference(account.id), noticeReference(account.id)]);
      await this.#events.record(tx, 'sessions.ended', { accountId: account.id, signedOut: null });
      await this.#events.record(tx, 'account.changed', { username: account.username, change: 'removed' });
    });
  }

  async #hashNewPassword(password: string, username: string): Promise<string> {
    await checkNewPassword(password, { username, field: 'password', isBreached: this.#isBreached });
    return hashPassword(password);
  }
}

/**
 * For a change after which the account is not an enabled administrator. Pass the locked accounts.
 * @throws AppError `conflict` when it is the last one
 */
export function expectAdministratorLeft(accounts: LockedAccounts, id: number): void {
  if (!isLastAdministrator(accounts, id)) return;
  const { username } = accounts.find((account) => account.id === id) ?? {};
  throw new AppError('conflict', `${username} is the last enabled administrator. Add another one first.`);
}

type LockedAccounts = Awaited<ReturnType<typeof repo.lockAccounts>>;

/** True if no other account is an enabled administrator. Pass the locked accounts. */
export function isLastAdministrator(accounts: LockedAccounts, id: number): boolean {
  const enabled = accounts.filter(({ role, is_disabled }) => role === 'administrator' && !is_disabled);
  return enabled.length === 1 && enabled[0]?.id === id;
}

async function existingAccount(tx: Executor, username: string): Promise<AccountRow> {
  const account = await repo.findAccount(tx, username);
  if (!account) throw noSuchAccount(username);
  return account;
}

const noSuchAccount = (username: string) => new AppError('not_found', `No account is named ${username}.`);

/** Returns the trimmed name, as the sign-in form sends it. */
function validUsername(username: string): string {
  const name = username.trim();
  if (name === '' || name.length > MAX_USERNAME_LENGTH || /\p{C}/u.test(name)) {
    const message = `Usernames need 1 to ${MAX_USERNAME_LENGTH} visible characters.`;
    throw new AppError('invalid_input', message, { field: 'username' });
  }
  return name;
}
