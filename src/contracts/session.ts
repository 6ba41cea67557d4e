import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageAnswer } from './fields.ts';

/** The signed-in user. */
export const User = z.object({ id: z.int(), username: z.string() });
export type User = z.infer<typeof User>;

/** Of the authenticator app, or a recovery code, as typed. */
export const Code = z.string().trim().min(1, 'is required').max(100);

export const Credentials = z.object({
  username: z.string().trim().min(1, 'is required').max(200),
  password: z.string().min(1, 'is required').max(1_000),
  /** Keeps the session for 30 days, sliding; without it the cookie ends with the browser. */
  rememberMe: z.boolean().default(false),
  /** Where the account has a second factor: without it the right password is answered with `second_factor_required`. */
  code: Code.optional(),
});

export const getUser = endpoint({ method: 'GET', path: '/api/user', summary: 'The signed-in user', response: User });

export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Signs in and sets the session cookie',
  open: true,
  body: Credentials,
  response: User,
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/logout',
  summary: 'Ends the session',
  open: true,
  response: MessageAnswer,
});

export const logoutEverywhere = endpoint({
  method: 'POST',
  path: '/api/logout/everywhere',
  summary: 'Ends every session of the signed-in account, this one included',
  response: MessageAnswer,
});

export const PasswordChange = z.object({
  currentPassword: z.string().min(1, 'is required').max(1_000),
  /** At least 8 characters, and none of those that anybody would try first; the server says why one is refused. */
  newPassword: z.string().min(1, 'is required').max(1_000),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/user/password',
  summary: 'Gives the signed-in account another password, the caller a new session, and ends every other',
  body: PasswordChange,
  response: MessageAnswer,
});

/** What the login screen needs to know before it knows anybody. */
export const loginHint = endpoint({
  method: 'GET',
  path: '/api/login/hint',
  summary:
    'Whether the caller is signed in, and the default credentials while an account still accepts them, else null',
  open: true,
  response: z.object({
    /** Answered here as well, because a browser reports every 401 as an error of the page, also where nobody is expected. */
    signedIn: z.boolean(),
    defaultCredentials: z.object({ username: z.string(), password: z.string() }).nullable(),
  }),
});
