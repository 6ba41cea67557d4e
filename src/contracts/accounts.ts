import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { integerFrom, MessageResponse, Moment, RowPath } from './fields.ts';
import { MAX_ROW_ID } from './rules/limits.ts';
import { NewPassword, Role } from './session.ts';

const FUNNEL_RULE = 'must be ids of funnels';
const FunnelIds = z
  .array(integerFrom(1, MAX_ROW_ID, FUNNEL_RULE), FUNNEL_RULE)
  .max(10_000, 'may have at most 10,000 entries');

/** Unique without regard to case. An empty text means no address. */
const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^([^\s@\p{C}]+@[^\s@\p{C}]+)?$/u, 'must be an email address, such as ann@example.com')
  .transform((text) => text || null)
  .nullable();

/** The username at an identity provider, for single sign-on. */
const Identity = z.object({ issuer: z.string(), subject: z.string(), email: z.string().nullable() });

export const Account = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string().nullable(),
  role: Role,
  /** True: the account sees every funnel, including future ones, and `funnelIds` is empty. */
  allFunnels: z.boolean(),
  funnelIds: z.array(z.int()),
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
  username: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(200, 'may have at most 200 characters')
    .regex(/^\P{C}+$/u, 'may contain visible characters only'),
  email: Email.optional(),
  role: Role,
  allFunnels: z.boolean(),
  /** Empty with `allFunnels`. */
  funnelIds: FunnelIds,
});

export const AccountChanges = NewAccount.pick({ email: true, role: true, allFunnels: true, funnelIds: true })
  .extend({ isDisabled: z.boolean() })
  .partial();

/** Any text: an invalid token is treated as unknown. */
export const InvitationPath = z.object({ token: z.string().max(200) });

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
  params: InvitationPath,
  response: z.object({ username: z.string() }),
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:token',
  summary: 'Sets the password of the invited account, ends its sessions, and uses up the link',
  role: 'open',
  scope: null,
  params: InvitationPath,
  body: z.object({ newPassword: NewPassword }),
  response: MessageResponse,
});
