import type { Role } from '#contracts/rules/roles.ts';
import type { SignOnRefusal } from '#contracts/rules/sign-on-refusals.ts';
import type { Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { insertInvitedAccount } from '#server/features/session/accounts/administered-accounts.repo.ts';
import type { Identity } from '#server/ports/identity-provider.ts';
import {
  findByEmail,
  findLinked,
  insertIdentity,
  isUsernameTaken,
  type LinkedAccount,
  updateIdentityEmail,
} from './identities.repo.ts';

/** The account of a person, or why there is none. */
export type Match =
  | { kind: 'matched'; account: LinkedAccount; identityId: number }
  | { kind: 'unproven'; account: LinkedAccount }
  | { kind: 'refused'; reason: SignOnRefusal; username?: string };

interface MatchOptions {
  events: Events;
  /** The client's address. */
  address: string;
  createsAccounts: boolean;
  /** The role of a new account. */
  role: Role;
}

/**
 * Finds the account of a person: by issuer and subject, else by their verified email address, and
 * else creates one if that is allowed. Call it with the accounts locked.
 */
export async function matchAccount(tx: Executor, identity: Identity, options: MatchOptions): Promise<Match> {
  const { issuer, subject, email, isEmailVerified } = identity;
  const linked = await findLinked(tx, issuer, subject);
  if (linked?.identityId) {
    await updateIdentityEmail(tx, linked.identityId, email);
    return unlessDisabled(linked, { kind: 'matched', account: linked, identityId: linked.identityId });
  }
  const named = email === null ? undefined : await findByEmail(tx, email);
  if (named && !isEmailVerified) return refused('unverified');
  if (named?.identityId) return refused('linked');
  // A provider that is taken over must not also take over the product.
  if (named?.role === 'administrator') return unlessDisabled(named, { kind: 'unproven', account: named });
  if (named?.isDisabled) return refused('disabled', named);
  if (named) return { kind: 'matched', account: named, identityId: await link(tx, identity, { ...options, ...named }) };
  return options.createsAccounts ? await createAccount(tx, identity, options) : refused('no_account');
}

const refused = (reason: SignOnRefusal, account?: LinkedAccount): Match => ({
  ...{ kind: 'refused', reason },
  ...(account && { username: account.username }),
});

const unlessDisabled = (account: LinkedAccount, match: Match): Match =>
  account.isDisabled ? refused('disabled', account) : match;

async function link(
  tx: Executor,
  { issuer, subject, email }: Identity,
  { events, address, accountId, username }: Pick<MatchOptions, 'events' | 'address'> & LinkedAccount,
): Promise<number> {
  const identityId = await insertIdentity(tx, { account_id: accountId, issuer, subject, email });
  await events.record(tx, 'identity.linked', { accountId, username, address, issuer, subject, by: 'email' });
  return identityId;
}

/**
 * A new account sees no funnels until an administrator selects some. An administrator sees all
 * funnels because of the role, and loses them with it.
 */
async function createAccount(tx: Executor, identity: Identity, { events, role }: MatchOptions): Promise<Match> {
  const { issuer, subject } = identity;
  const username = await freeUsername(tx, identity);
  if (username === null) return refused('no_account');
  const email = identity.isEmailVerified ? identity.email : null;
  const after = { email, role, allFunnels: role === 'administrator', funnelIds: [] };
  const accountId = await insertInvitedAccount(tx, { ...after, username, allFunnels: false });
  await events.record(tx, 'account.changed', { accountId, username, change: 'created-at-sign-in', after });
  const identityId = await insertIdentity(tx, { account_id: accountId, issuer, subject, email: identity.email });
  return { kind: 'matched', account: { accountId, username, role, isDisabled: false, identityId }, identityId };
}

const MAX_USERNAME_LENGTH = 200;

async function freeUsername(tx: Executor, identity: Identity): Promise<string | null> {
  const { preferredUsername, email, isEmailVerified, subject } = identity;
  for (const name of [preferredUsername, isEmailVerified ? email : null, subject]) {
    const isUsable = name !== null && name.length <= MAX_USERNAME_LENGTH && /^\P{C}+$/u.test(name);
    if (isUsable && !(await isUsernameTaken(tx, name))) return name;
  }
  return null;
}
