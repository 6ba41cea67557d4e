import type { z } from 'zod';
import type { Account, AccountChanges, NewAccount } from '#contracts/accounts.ts';
import { AppError } from '#server/app-error.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import { type Mail, noticeReference, withdrawMails } from '#server/features/mail/mail.service.ts';
import { endSessionsOfAccount } from '#server/features/session/sessions/session-lifecycle.ts';
import { deleteAccount, lockAccounts } from './accounts.repo.ts';
import { expectAdministratorLeft } from './accounts.service.ts';
import type { AccountFields, AdministeredRow } from './administered-accounts.repo.ts';
import * as repo from './administered-accounts.repo.ts';
import { invitationReference, newInvitationMail, renewedInvitationMail } from './invitation-mail.ts';
import type { Invitations, NewInvitation } from './invitations.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

interface AdministrationDeps {
  db: Database;
  events: Events;
  funnels: Pick<Funnels, 'lockExisting'>;
  invitations: Pick<Invitations, 'issue'>;
  mail: Pick<Mail, 'send'>;
  /** Called after the commit with an account whose rights have changed or ended. */
  onRightsChanged: (accountId: number) => void;
}

type Changes = z.output<typeof AccountChanges>;
/** Returns the link with which the token of an invitation is used. */
type LinkTo = (token: string) => string;

/** Account management by administrators in the browser. */
export class AccountAdministration {
  readonly #deps: AdministrationDeps;

  constructor(deps: AdministrationDeps) {
    this.#deps = deps;
  }

  async list(): Promise<Account[]> {
    return (await repo.listAdministered(this.#deps.db)).map(viewAccount);
  }

  /**
   * Also sends the link, if the account has an e-mail address.
   * @throws AppError `invalid_input` with the field, or `conflict` with the taken field
   */
  async invite(
    input: z.output<typeof NewAccount>,
    linkTo: LinkTo,
  ): Promise<{ account: Account; invitation: NewInvitation }> {
    const { db, events, invitations, mail } = this.#deps;
    const account = { ...input, email: input.email ?? null, funnelIds: unique(input.funnelIds) };
    expectFunnelsOfRole(account);
    return await db.transaction().execute(async (tx) => {
      await lockKeyRotation(tx);
      await this.#lockFunnels(tx, account.funnelIds);
      const id = await repo.insertInvitedAccount(tx, account).catch(throwTaken);
      const invitation = await invitations.issue(tx, id);
      const { username, ...after } = account;
      await events.record(tx, 'account.changed', { accountId: id, username, change: 'invited', after });
      const { email } = account;
      const invited = { accountId: id, username, expiresAt: invitation.expiresAt };
      if (email) await mail.send(tx, newInvitationMail({ ...invited, email }, linkTo(invitation.token)));
      return { account: viewAccount(await existing(tx, id)), invitation };
    });
  }

  /**
   * Sessions of the account have the new rights from their next request on.
   * @throws AppError `not_found`, `invalid_input` with the field, or `conflict`
   */
  async update(id: number, changes: Changes, callerId: number): Promise<Account> {
    const { db, events, onRightsChanged } = this.#deps;
    const account = await db.transaction().execute(async (tx) => {
      const accounts = await lockAccounts(tx);
      const row = await existing(tx, id);
      const before = fieldsOf(row);
      const after = applyChanges(row, changes);
      if (id === callerId) expectOtherAdministrator(before, after);
      if (after.isDisabled || after.role !== 'administrator') expectAdministratorLeft(accounts, id);
      await this.#lockFunnels(tx, after.funnelIds);
      await repo.updateAccountFields(tx, id, after).catch(throwTaken);
      // An administrator's stored funnels apply again once single sign-on changes the role.
      if (before.role !== 'administrator' || after.role !== 'administrator')
        await repo.updateAccountFunnels(tx, id, after);
      await this.#recordUpdate(tx, row, after);
      const isNowDisabled = after.isDisabled && !before.isDisabled;
      // The owner of the former address must not be able to choose the password.
      const isLinkElsewhere = before.email !== null && after.email !== before.email;
      if (isNowDisabled || isLinkElsewhere) await withdrawInvitation(tx, id);
      if (isNowDisabled) await endSessionsOfAccount(tx, events, id);
      return viewAccount(await existing(tx, id));
    });
    onRightsChanged(id);
    return account;
  }

  /** @throws AppError `not_found` or `conflict` */
  async delete(id: number, callerId: number): Promise<void> {
    const { db, events, onRightsChanged } = this.#deps;
    if (id === callerId)
      throw new AppError('conflict', "You can't delete your own account. Ask another administrator.");
    await db.transaction().execute(async (tx) => {
      const accounts = await lockAccounts(tx);
      const { username } = await existing(tx, id);
      expectAdministratorLeft(accounts, id);
      await endSessionsOfAccount(tx, events, id);
      await deleteAccount(tx, id);
      await withdrawMails(tx, [invitationReference(id), noticeReference(id)]);
      await events.record(tx, 'account.changed', { accountId: id, username, change: 'removed' });
    });
    onRightsChanged(id);
  }

  /**
   * Also sends the link, if the account has an e-mail address.
   * @throws AppError `not_found`, or `conflict` for a disabled account
   */
  async renewInvitation(id: number, linkTo: LinkTo): Promise<NewInvitation> {
    const { db, events, invitations, mail } = this.#deps;
    return await db.transaction().execute(async (tx) => {
      await lockKeyRotation(tx);
      await lockAccounts(tx);
      const { username, email, is_disabled } = await existing(tx, id);
      if (is_disabled) throw new AppError('conflict', `${username} is disabled. Enable the account first.`);
      const invitation = await invitations.issue(tx, id);
      await events.record(tx, 'account.changed', { accountId: id, username, change: 'invitation-renewed' });
      // The earlier link no longer works.
      await withdrawMails(tx, [invitationReference(id)]);
      const invited = { accountId: id, username, expiresAt: invitation.expiresAt };
      if (email) await mail.send(tx, renewedInvitationMail({ ...invited, email }, linkTo(invitation.token)));
      return invitation;
    });
  }

  async #lockFunnels(tx: Executor, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const found = new Set(await this.#deps.funnels.lockExisting(tx, ids));
    const unknown = ids.filter((id) => !found.has(id));
    if (unknown.length === 0) return;
    const message = `funnelIds must be ids of funnels, but these funnels do not exist: ${unknown.join(', ')}`;
    throw new AppError('invalid_input', message, { field: 'funnelIds' });
  }

  /** Disabling and enabling are separate events. */
  async #recordUpdate(tx: Executor, row: AdministeredRow, { isDisabled, ...fields }: AccountFields): Promise<void> {
    const { id: accountId, username } = row;
    const { events } = this.#deps;
    const { isDisabled: wasDisabled, ...former } = fieldsOf(row);
    const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter(
      (name) => JSON.stringify(fields[name]) !== JSON.stringify(former[name]),
    );
    if (isDisabled || changed.includes('email') || seesLess(former, fields))
      await withdrawMails(tx, [noticeReference(accountId)]);
    if (changed.length > 0) {
      const pick = (from: typeof fields) => Object.fromEntries(changed.map((name) => [name, from[name]]));
      const change = { change: 'updated', before: pick(former), after: pick(fields) } as const;
      await events.record(tx, 'account.changed', { accountId, username, ...change });
    }
    if (isDisabled !== wasDisabled)
      await events.record(tx, 'account.changed', { accountId, username, change: isDisabled ? 'disabled' : 'enabled' });
  }
}

type Access = Pick<AccountFields, 'role' | 'allFunnels' | 'funnelIds'>;

/** Pending mails may then be about what the account no longer sees. */
const seesLess = (former: Access, next: Access): boolean =>
  next.role !== former.role ||
  (former.allFunnels && !next.allFunnels) ||
  (!next.allFunnels && former.funnelIds.some((id) => !next.funnelIds.includes(id)));

const unique = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b);

/** Administrators always see all funnels. */
function applyChanges(row: AdministeredRow, changes: Changes): AccountFields {
  const role = changes.role ?? row.role;
  const allFunnels = changes.allFunnels ?? (role === 'administrator' || row.all_funnels);
  const fields = {
    email: changes.email === undefined ? row.email : changes.email,
    role,
    allFunnels,
    funnelIds: unique(changes.funnelIds ?? (allFunnels ? [] : row.funnel_ids)),
    isDisabled: changes.isDisabled ?? row.is_disabled,
  };
  expectFunnelsOfRole(fields);
  return fields;
}

function expectFunnelsOfRole({ role, allFunnels, funnelIds }: Omit<AccountFields, 'email' | 'isDisabled'>): void {
  const refuse = (field: string, rule: string) => new AppError('invalid_input', `${field} ${rule}`, { field });
  if (role === 'administrator' && !allFunnels) throw refuse('allFunnels', 'must be true for an administrator');
  if (allFunnels && funnelIds.length > 0) throw refuse('funnelIds', 'must be empty when allFunnels is true');
}

function expectOtherAdministrator(before: AccountFields, after: AccountFields): void {
  if (after.role !== before.role)
    throw new AppError('conflict', "You can't change your own role. Ask another administrator.", { field: 'role' });
  if (after.isDisabled !== before.isDisabled)
    throw new AppError('conflict', "You can't disable your own account. Ask another administrator.", {
      field: 'isDisabled',
    });
}

async function existing(tx: Executor, id: number): Promise<AdministeredRow> {
  const row = await repo.findAdministered(tx, id);
  if (!row) throw new AppError('not_found', 'This account no longer exists.');
  return row;
}

function throwTaken(error: unknown): never {
  const field = repo.takenField(error);
  if (!field) throw error;
  const name = field === 'email' ? 'email address' : 'username';
  throw new AppError('conflict', `Another account has this ${name}. Choose a different one.`, { field });
}

const fieldsOf = ({ email, role, all_funnels, funnel_ids, is_disabled }: AdministeredRow): AccountFields => ({
  ...{ email, role },
  // Single sign-on can change the role to administrator and keeps the stored funnels.
  allFunnels: all_funnels || role === 'administrator',
  funnelIds: all_funnels || role === 'administrator' ? [] : funnel_ids,
  isDisabled: is_disabled,
});

const viewAccount = (row: AdministeredRow): Account => ({
  id: row.id,
  username: row.username,
  ...fieldsOf(row),
  lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  hasSecondFactor: row.confirmed_at !== null,
  identities: row.identities,
});
