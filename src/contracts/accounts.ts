import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, Moment, OptionalEmail, RowPath, rowIds, TokenPath, visibleLine } from './fields.ts';
import { Password, Role, User } from './session.ts';

/** The username at an identity provider, for single sign-on. */
const Identity = z.object({ issuer: z.string(), subject: z.string(), email: z.string().nullable() });

export const Account = User.extend({
  email: z.string().nullable(),
  /** A disabled account has no sessions and cannot sign in. */
  isDisabled: z.boolean(),
  /** Accurate to five minutes. Null: the account has never signed in. */
  lastSeenAt: Moment.nullable(),
  hasSecondFactor: z.boolean(),
  identities: z.array(Identity),
});
export type Account = z.infer<typeof Account>;

/** A link to choose a password. It works once. */
export const Invitation = z.object({ link: z.string(), expiresAt: Moment });
export type Invitation = z.infer<typeof Invitation>;

export const NewAccount = z.object({
  username: visibleLine(200),
  /** Unique without regard to case. An empty text means no address. */
  email: OptionalEmail.transform((text) => text || null).nullish(),
  role: Role,
  allFunnels: z.boolean(),
  /** Empty with `allFunnels`. */
  funnelIds: rowIds(10_000, 'must be ids of funnels'),
});

export const AccountChanges = NewAccount.pick({ email: true, role: true, allFunnels: true, funnelIds: true })
  .extend({ isDisabled: z.boolean() })
  .partial();

export const listAccounts = endpoint({
  method: 'GET',
  path: '/api/accounts',
  summary: 'All accounts, by name',
  role: 'administrator',
  scope: null,
  response: z.array(Account),
});

export const inviteAccount = endpoint({
  method: 'POST',
  path: '/api/accounts',
  summary: 'Adds an account without a password, and returns the link to choose one',
  role: 'administrator',
  scope: null,
  status: 201,
  body: NewAccount,
  response: z.object({ account: Account, invitation: Invitation }),
});

export const updateAccount = endpoint({
  method: 'PUT',
  path: '/api/accounts/:id',
  summary:
    'Changes the given fields. Administrators always see all funnels; disabling ends all sessions, and another email address ends the invitation',
  role: 'administrator',
  scope: null,
  params: RowPath,
  body: AccountChanges,
  response: Account,
});

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/accounts/:id',
  summary: 'Deletes an account with its sessions, watched marks and saved views; its changes remain',
  role: 'administrator',
  scope: null,
  params: RowPath,
  response: MessageResponse,
});

export const renewInvitation = endpoint({
  method: 'POST',
  path: '/api/accounts/:id/invitation',
  summary: 'Creates a link to choose a new password, which replaces the earlier link',
  role: 'administrator',
  scope: null,
  params: RowPath,
  response: Invitation,
});

export const getInvitation = endpoint({
  method: 'GET',
  path: '/api/invitations/:token',
  summary: 'The username of the account that a valid link invites; has no side effects',
  role: 'open',
  scope: null,
  params: TokenPath,
  response: z.object({ username: z.string() }),
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:token',
  summary: 'Sets the password of the invited account, ends its sessions, and uses up the link',
  role: 'open',
  scope: null,
  params: TokenPath,
  body: z.object({ newPassword: Password }),
  response: MessageResponse,
});
