import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, Moment } from './fields.ts';
import { Code, Credentials, Password, User } from './session.ts';

export const SecondFactor = z.object({
  /** Null without a second factor. */
  confirmedAt: Moment.nullable(),
  recoveryCodesLeft: z.int(),
  /** True when all accounts need one: it can be replaced but not turned off. */
  required: z.boolean(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** For an authenticator app. It takes effect with the first code. */
export const SharedSecret = z.object({
  /** Base32. */
  secret: z.string(),
  /** An `otpauth:` URL for a QR code. */
  address: z.string(),
});
export type SharedSecret = z.infer<typeof SharedSecret>;

/** Shown once, because only hashes are stored. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Reauthentication for changes of the second factor. */
const Proof = z.object({ currentPassword: Password, code: Code });

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/user/second-factor',
  summary: 'The state of the second factor of the signed-in account',
  role: 'reviewer',
  scope: null,
  response: SecondFactor,
});

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/secret',
  summary: 'Creates the secret of an authenticator app; it takes effect with the first code',
  role: 'reviewer',
  scope: null,
  // The code of the current app, when there is one.
  body: Proof.partial({ code: true }),
  response: SharedSecret,
});

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor',
  summary: 'Confirms the new app with its first code, gives the caller a new session, and ends all others',
  role: 'reviewer',
  scope: null,
  body: z.object({ code: Code }),
  response: RecoveryCodes,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/recovery-codes',
  summary: 'Creates new recovery codes, which replace the old ones',
  role: 'reviewer',
  scope: null,
  body: Proof,
  response: RecoveryCodes,
});

export const turnOffSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/off',
  summary: 'Turns the second factor off, gives the caller a new session, and ends all others',
  role: 'reviewer',
  scope: null,
  body: Proof,
  response: MessageResponse,
});

export const beginRequiredFactor = endpoint({
  method: 'POST',
  path: '/api/login/second-factor/secret',
  summary: 'Creates the secret before the first sign-in of an account that needs a second factor',
  role: 'open',
  scope: null,
  body: Credentials.pick({ username: true, password: true }),
  response: SharedSecret,
});

export const confirmRequiredFactor = endpoint({
  method: 'POST',
  path: '/api/login/second-factor',
  summary: 'Confirms the app with its first code, signs in and sets the session cookie',
  role: 'open',
  scope: null,
  body: Credentials.extend({ code: Code }),
  response: RecoveryCodes.extend({ user: User }),
});
