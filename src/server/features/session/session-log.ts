import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { formatWait } from './sign-in/sign-in-throttle.ts';

const MAX_NAME_CHARACTERS = 60;

/** Replaces invisible and direction-changing characters, and cuts the name at 60 characters. */
export function printableName(name: string): string {
  const visible = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  const characters = [...visible];
  if (characters.length <= MAX_NAME_CHARACTERS) return visible;
  return `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`;
}

/** The name as the user typed it. */
const printable = ({ username, address }: { username: string; address: string }) => ({
  username: printableName(username),
  address,
});

export function signedInEntry(data: EventData<'sign-in.succeeded'>): NewLogEntry {
  const { username, address } = printable(data);
  const { remembered, secondFactor } = data;
  const usedRecoveryCode = secondFactor === 'recovery-code';
  return {
    type: 'auth',
    action: 'sign-in',
    status: usedRecoveryCode ? 'warning' : 'success',
    summary: `${username} signed in${usedRecoveryCode ? ' with a recovery code' : ''}.`,
    metadata: { username, address, remembered, secondFactor: usedRecoveryCode ? 'recovery code' : secondFactor },
  };
}

/** Lets the owner of a stolen password notice its use. */
export function passwordAcceptedEntry(data: EventData<'sign-in.pending'>): NewLogEntry {
  const metadata = printable(data);
  const summary = `${metadata.username} entered the correct password. The second factor is pending.`;
  return { type: 'auth', action: 'sign-in', status: 'info', summary, metadata };
}

export function failedSignInEntry({ cause, address, waitSeconds }: EventData<'sign-in.failed'>): NewLogEntry {
  const user =
    cause.wrong === 'name'
      ? { usernameHash: cause.usernameHash, address }
      : printable({ username: cause.username, address });
  const summary = describeFailedSignIn(cause);
  const wait = ` The next attempt has to wait ${formatWait(waitSeconds)}.`;
  return {
    action: 'sign-in',
    status: 'error',
    summary: waitSeconds === 0 ? summary : summary + wait,
    metadata: { ...user, waitSeconds },
  };
}

function describeFailedSignIn(cause: EventData<'sign-in.failed'>['cause']): string {
  if (cause.wrong === 'name') return 'Failed sign-in with an unknown username.';
  const name = printableName(cause.username);
  return cause.wrong === 'password'
    ? `Failed sign-in as ${name}.`
    : `${name} entered the correct password but a wrong code.`;
}

/** Null for a session that was replaced, or that the provider ended; other events log those. */
export function sessionEndedEntry({ account, cause }: EventData<'session.ended'>): NewLogEntry | null {
  if (account === null || cause.kind === 'replaced' || cause.kind === 'provider') return null;
  const username = printableName(account.username);
  const signOut = { type: 'auth', action: 'sign-out' } as const;
  if (cause.kind !== 'remote') return { ...signOut, summary: `${username} signed out.`, metadata: { username } };
  const { device, address: deviceAddress } = cause;
  const summary = `${username} signed out a device: ${device || 'Unknown device'}.`;
  return { ...signOut, summary, metadata: { username, device, deviceAddress } };
}

export function signedOutEverywhereEntry({ signedOut }: EventData<'sessions.ended'>): NewLogEntry | null {
  if (signedOut === null) return null;
  const username = printableName(signedOut.username);
  return {
    type: 'auth',
    action: 'sign-out-everywhere',
    summary: `${username} was signed out everywhere.`,
    metadata: { username, sessions: signedOut.count },
  };
}

export const sessionsExpiredEntries = ({ sessions }: EventData<'sessions.expired'>): NewLogEntry[] =>
  sessions
    .filter(({ isReplaced }) => !isReplaced)
    .map(({ username: name, remembered, createdAt }) => {
      const username = printableName(name);
      return {
        type: 'auth',
        action: 'session-expired',
        status: 'info',
        summary: `A session of ${username} expired.`,
        metadata: { username, remembered, startedAt: createdAt },
      };
    });

/** The log action of each change of a user to their own account, and the end of its sentence. */
const OWN_CHANGES = {
  password: ['change-password', 'changed their password'],
  invitation: ['change-password', 'chose a password with an invitation'],
  'default-password': ['change-password', 'replaced the default password'],
  'factor-set-up': ['second-factor', 'set up two-factor sign-in'],
  'factor-set-up-at-sign-in': ['second-factor', 'set up two-factor sign-in and signed in'],
  'factor-moved': ['second-factor', 'moved two-factor sign-in to another app'],
  'factor-removed': ['second-factor', 'turned off two-factor sign-in'],
  'recovery-codes': ['second-factor', 'generated new recovery codes'],
} as const;

export function ownAccountChangedEntry({ change, ...data }: EventData<'own-account.changed'>): NewLogEntry {
  const [action, what] = OWN_CHANGES[change];
  const metadata = { ...data, ...printable(data) };
  return { type: 'auth', action, summary: `${metadata.username} ${what}.`, metadata };
}

export function failedProofEntry({ action, field, ...person }: EventData<'proof.failed'>): NewLogEntry {
  const metadata = printable(person);
  const summary = `${metadata.username} entered a wrong ${field === 'code' ? 'code' : 'current password'}.`;
  return { action, status: 'error', summary, metadata };
}

export function createdTokenEntry(data: EventData<'api-token.created'>): NewLogEntry {
  const { tokenId, scopes, expiresAt } = data;
  const [username, name] = [printableName(data.username), printableName(data.name)];
  const summary = `${username} created the API token ${name} (${scopes.join(', ')}).`;
  const metadata = { username, tokenId, name, scopes, expiresAt };
  return { type: 'auth', action: 'create-api-token', summary, metadata };
}

export function revokedTokenEntry({ tokenId, isOwn, ...data }: EventData<'api-token.revoked'>): NewLogEntry {
  const [username, name] = [printableName(data.username), printableName(data.name)];
  const summary = isOwn
    ? `${username} revoked the API token ${name}.`
    : `The API token ${name} of ${username} was revoked.`;
  return { type: 'auth', action: 'revoke-api-token', summary, metadata: { username, tokenId, name } };
}

/** The log action and the sentence of each change by an administrator, or of the first start. */
const CHANGES = {
  first: ['add-account', (name: string) => `Created the first account, ${name}.`],
  added: ['add-account', (name: string) => `Account ${name} was added.`],
  password: ['change-password', (name: string) => `The password of ${name} was changed.`],
  'factor-removed': ['reset-second-factor', (name: string) => `The second factor of ${name} was removed.`],
  removed: ['remove-account', (name: string) => `Account ${name} was removed.`],
  invited: ['invite-account', (name: string) => `${name} was invited.`],
  'invitation-renewed': ['invite-account', (name: string) => `A new invitation link was created for ${name}.`],
  updated: ['update-account', (name: string) => `Account ${name} was updated.`],
  disabled: ['disable-account', (name: string) => `Account ${name} was disabled.`],
  enabled: ['enable-account', (name: string) => `Account ${name} was enabled.`],
  'created-at-sign-in': ['add-account', (name: string) => `Account ${name} was added by single sign-on.`],
  'role-by-claim': ['update-account', (name: string) => `The role of ${name} was changed by single sign-on.`],
  'role-kept': [
    'update-account',
    (name: string) => `${name} is the last enabled administrator and keeps the role against single sign-on.`,
  ],
} as const;

export function accountChangedEntry({ change, ...metadata }: EventData<'account.changed'>): NewLogEntry {
  const [action, sentence] = CHANGES[change];
  const status = change === 'role-kept' ? 'warning' : 'success';
  return { action, status, summary: sentence(metadata.username), metadata };
}

/** Also for the console. */
export const describeDefaultCredentials = (username: string): string =>
  `This server is reachable by others and ${username} still has the default password. ` +
  'It opens only the choice of a new password, together with the code that each start prints on the console. ' +
  `Set it now: sign in, or npm run user -- password ${username}`;

export const defaultCredentialsEntry = ({ username }: EventData<'default-credentials.found'>): NewLogEntry => ({
  action: 'default-credentials',
  status: 'warning',
  summary: describeDefaultCredentials(username),
});
