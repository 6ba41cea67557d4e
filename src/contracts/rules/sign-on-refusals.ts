/**
 * Why single sign-on returned to the login page, which shows a message for each: `/login?refused=`.
 * - `unreachable`: the provider does not respond
 * - `misconfigured`: the provider rejects this installation
 * - `denied`: the person canceled, or the provider does not let them in
 * - `expired`: it took over ten minutes, or began at another address or in another browser or tab
 * - `invalid`: the provider's response cannot be trusted
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
