/**
 * Why single sign-on returned to the login page, which shows a message for each: `/login?refused=`.
 * - `unreachable`: the provider does not respond
 * - `misconfigured`: the provider rejects this installation
 * - `denied`: the person canceled, or the provider does not let them in
 * - `expired`: it took more than ten minutes, or began in another browser, tab or at another address
 * - `invalid`: the answer of the provider cannot be trusted
 * - `no_account`: an administrator has to add the person first
 * - `unverified`: an account has the email address, which the provider has not verified
 * - `linked`: another person at the provider signs in to the account with this email address
 * - `disabled`: the account is disabled
 */
export const SIGN_ON_REFUSALS = [
  'unreachable',
  'misconfigured',
  'denied',
  'expired',
  'invalid',
  'no_account',
  'unverified',
  'linked',
  'disabled',
] as const;
export type SignOnRefusal = (typeof SIGN_ON_REFUSALS)[number];
