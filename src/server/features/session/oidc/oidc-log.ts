import type { EventData } from '#contracts/events.ts';
import type { SignOnRefusal } from '#contracts/rules/sign-on-refusals.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { printableName } from '#server/features/session/session-log.ts';

export function signedOnEntry({ username, ...metadata }: EventData<'single-sign-on.succeeded'>): NewLogEntry {
  const name = printableName(username);
  const summary = `${name} signed in with single sign-on.`;
  return { type: 'auth', action: 'sign-in', summary, metadata: { username: name, ...metadata } };
}

const REASONS: Record<SignOnRefusal, string> = {
  unreachable: "the provider can't be reached",
  misconfigured: 'the provider rejects this installation. Run npm run check:config',
  denied: 'it was canceled, or the provider denied it',
  expired: 'it took too long, or began in another browser, tab or at another address',
  invalid: "the provider's answer can't be trusted",
  no_account: 'the person has no account',
  unverified: 'the provider has not verified the email address of the account',
  linked: 'another person at the provider signs in to the account with this email address',
  disabled: 'the account is disabled',
};

export function refusedSignOnEntry({ reason, ...metadata }: EventData<'single-sign-on.refused'>): NewLogEntry {
  const { email } = metadata.identity ?? {};
  const who = metadata.username ?? email;
  const summary = `Single sign-on${who ? ` of ${printableName(who)}` : ''} was rejected: ${REASONS[reason]}.`;
  return { action: 'sign-in', status: 'error', summary, metadata: { reason, ...metadata } };
}

export function linkedIdentityEntry({ username, ...metadata }: EventData<'identity.linked'>): NewLogEntry {
  const name = printableName(username);
  const summary = `${name} was linked to single sign-on by ${metadata.by === 'email' ? 'email address' : 'password'}.`;
  return { type: 'auth', action: 'link-identity', summary, metadata: { username: name, ...metadata } };
}

export function endedSignOnEntry({ username, count }: EventData<'single-sign-on.ended'>): NewLogEntry {
  const name = printableName(username);
  const summary = `${name} was signed out by the provider of single sign-on.`;
  return { type: 'auth', action: 'sign-out', summary, metadata: { username: name, sessions: count } };
}

export const refusedLogoutEntry = (metadata: EventData<'logout-token.refused'>): NewLogEntry => ({
  action: 'sign-out',
  status: 'error',
  summary: 'A sign-out by the provider of single sign-on was rejected.',
  metadata,
});
