import { ROLES, type Role } from '#contracts/rules/roles.ts';
import type { Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { noticeReference, withdrawMails } from '#server/features/mail/mail.service.ts';
import type { lockAccounts } from '#server/features/session/accounts/accounts.repo.ts';
import { isLastAdministrator } from '#server/features/session/accounts/accounts.service.ts';
import { updateRole } from './identities.repo.ts';

export interface RoleSettings {
  /** The name of the claim, or its path: `realm_access.roles`. Null: roles are not read. */
  claim: string | null;
  byGroup: ReadonlyMap<string, Role>;
  /** For people without a listed group, and for new accounts. */
  byDefault: Role;
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns the role that the groups of a person give, or null if roles are not read. */
export function claimedRole(claims: Claims, { claim, byGroup, byDefault }: RoleSettings): Role | null {
  if (claim === null) return null;
  const groups = [findClaim(claims, claim)].flat();
  const roles = groups.map((group) => (typeof group === 'string' ? byGroup.get(group) : undefined));
  // The last role has the most rights.
  return ROLES.findLast((role) => roles.includes(role)) ?? byDefault;
}

/** Names of claims may contain dots themselves: `https://example.com/groups`. */
function findClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((value, name) => {
    const isNested = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isNested ? (value as Claims)[name] : undefined;
  }, claims);
}

interface RoleChange {
  account: { accountId: number; username: string; role: Role };
  /** Null: the role stays as it is. */
  role: Role | null;
  accounts: Awaited<ReturnType<typeof lockAccounts>>;
}

/**
 * Gives the account the role of its person's groups. The last enabled administrator keeps the role.
 * Funnels stay as they are.
 */
export async function applyRole(
  tx: Executor,
  events: Events,
  { account: { accountId, username, role: former }, role, accounts }: RoleChange,
): Promise<void> {
  if (role === null || role === former) return;
  const change = { accountId, username, before: { role: former }, after: { role } };
  if (isLastAdministrator(accounts, accountId))
    return await events.record(tx, 'account.changed', { ...change, change: 'role-kept' });
  await updateRole(tx, accountId, role);
  await withdrawMails(tx, [noticeReference(accountId)]);
  await events.record(tx, 'account.changed', { ...change, change: 'role-by-claim' });
}
