import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageAnswer, Moment } from './fields.ts';
import { Code, Credentials, User } from './session.ts';

/** How the second factor of the signed-in account stands. */
export const SecondFactor = z.object({
  /** Null while there is none. */
  confirmedAt: Moment.nullable(),
  recoveryCodesLeft: z.int(),
  /** Everybody has one here: it can be moved to another app, and not be turned off. */
  required: z.boolean(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** What an authenticator app needs to know; it counts from the first code on. */
export const SharedSecret = z.object({
  /** Base32, for typing. */
  secret: z.string(),
  /** The same as an `otpauth:` address, for a QR code. */
  address: z.string(),
});
export type SharedSecret = z.infer<typeof SharedSecret>;

/** Shown once; we keep hashes. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const CurrentPassword = z.string().min(1, 'is required').max(1_000);
/** Who sits at a signed-in browser proves anew who they are. */
const Proof = z.object({ currentPassword: CurrentPassword, code: Code });

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/user/second-factor',
  summary: 'How the second factor of the signed-in account stands',
  response: SecondFactor,
});

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/secret',
  summary: 'Makes the secret of an authenticator app; nothing changes until its first code confirms it',
  // A code of the app that is to be replaced, where there is one.
  body: Proof.partial({ code: true }),
  response: SharedSecret,
});

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor',
  summary: 'Takes the new app from its first code on, gives the caller a new session, and ends every other',
  body: z.object({ code: Code }),
  response: RecoveryCodes,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/recovery-codes',
  summary: 'Makes new recovery codes; those there were open nothing any more',
  body: Proof,
  response: RecoveryCodes,
});

export const turnOffSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/off',
  summary: 'Turns the second factor off, gives the caller a new session, and ends every other',
  body: Proof,
  response: MessageAnswer,
});

export const beginRequiredFactor = endpoint({
  method: 'POST',
  path: '/api/login/second-factor/secret',
  summary: 'The same as for the signed-in, before the first session of an account that has to have a second factor',
  open: true,
  body: Credentials.pick({ username: true, password: true }),
  response: SharedSecret,
});

export const confirmRequiredFactor = endpoint({
  method: 'POST',
  path: '/api/login/second-factor',
  summary: 'Takes the app from its first code on, signs in and sets the session cookie',
  open: true,
  body: Credentials.extend({ code: Code }),
  response: RecoveryCodes.extend({ user: User }),
});
