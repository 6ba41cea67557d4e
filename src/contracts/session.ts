import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, Moment, RowPath } from './fields.ts';
import { ROLES } from './rules/roles.ts';

export const Role = z.enum(ROLES, {
  error: `must be ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ROLES)}`,
});

export const User = z.object({
  id: z.int(),
  username: z.string(),
  role: Role,
  /** True: the account sees every funnel, including future ones, and `funnelIds` is empty. */
  allFunnels: z.boolean(),
  /** The funnels that the account sees. */
  funnelIds: z.array(z.int()),
});
export type User = z.infer<typeof User>;

/** A code of the authenticator app, a recovery code, or the start code that the console prints. */
export const Code = z.string().trim().min(1, 'is required').max(100);

/** A new one must also have at least 8 characters and not be a common password. */
export const Password = z.string().min(1, 'is required').max(1_000);

export const Credentials = z.object({
  username: z.string().trim().min(1, 'is required').max(200),
  password: Password,
  /** True: the session lasts 30 days from its last use. False: the cookie ends with the browser. */
  rememberMe: z.boolean().default(false),
  /**
   * Required with a second factor: without it, a correct password fails with
   * `second_factor_required`.
   */
  code: Code.optional(),
});

export const getUser = endpoint({
  method: 'GET',
  path: '/api/user',
  role: 'reviewer',
  scope: 'read',
  summary: 'The signed-in user',
  response: User,
});

export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Signs in and sets the session cookie',
  role: 'open',
  scope: null,
  body: Credentials,
  response: User,
});

export const replaceDefaultPassword = endpoint({
  method: 'POST',
  path: '/api/login/password',
  summary: 'Replaces the default password, which allows nothing else on reachable servers',
  role: 'open',
  scope: null,
  body: Credentials.pick({ username: true, password: true }).extend({ startCode: Code, newPassword: Password }),
  response: MessageResponse,
});

export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/api/login/oidc/confirm',
  summary: 'Links the person who just signed in at the provider to an existing account, and signs them in',
  role: 'open',
  scope: null,
  body: Credentials.pick({ password: true, code: true }),
  response: User,
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/logout',
  summary: 'Ends the session',
  role: 'open',
  scope: null,
  response: MessageResponse,
});

export const logoutEverywhere = endpoint({
  method: 'POST',
  path: '/api/logout/everywhere',
  summary: 'Ends every session of the signed-in account, including the current one',
  role: 'reviewer',
  scope: null,
  response: MessageResponse,
});

export const PasswordChange = z.object({
  currentPassword: Password,
  newPassword: Password,
  /** Required with a second factor. */
  code: Code.optional(),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/user/password',
  summary: 'Changes the password of the signed-in account, gives the caller a new session, and ends all others',
  role: 'reviewer',
  scope: null,
  body: PasswordChange,
  response: MessageResponse,
});

/** A signed-in device is a session, as its user recognizes it. */
export const Device = z.object({
  id: z.int(),
  /** Browser and operating system. Empty for sessions of older releases. */
  device: z.string(),
  /** The address, or IPv6 network, that it was last used from. */
  address: z.string(),
  signedInAt: Moment,
  /** Exact to five minutes. */
  lastUsedAt: Moment,
  /** The session of the caller. */
  isCurrent: z.boolean(),
});
export type Device = z.infer<typeof Device>;

export const listDevices = endpoint({
  method: 'GET',
  path: '/api/user/devices',
  summary: 'The devices on which the account is signed in, most recently used first',
  role: 'reviewer',
  scope: null,
  response: z.array(Device),
});

export const signOutDevice = endpoint({
  method: 'DELETE',
  path: '/api/user/devices/:id',
  summary: 'Ends the session of one device',
  role: 'reviewer',
  scope: null,
  params: RowPath,
  response: MessageResponse,
});

export const getLoginHint = endpoint({
  method: 'GET',
  path: '/api/login/hint',
  summary: 'Whether the caller is signed in, and the default credentials while an account accepts them',
  role: 'open',
  scope: null,
  response: z.object({
    /**
     * Without it the login screen would need `GET /api/user`, whose 401 browsers log as an error.
     */
    signedIn: z.boolean(),
    defaultCredentials: z.object({ username: z.string(), password: z.string() }).nullable(),
    /** The provider of single sign-on. Null: people sign in with passwords only. */
    oidc: z.object({ name: z.string() }).nullable(),
    /** True: people sign in through the provider only. */
    isPasswordHidden: z.boolean(),
  }),
});
