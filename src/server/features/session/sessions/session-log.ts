import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

const MAX_NAME_CHARACTERS = 60;

/** Replaces invisible and direction-changing characters, and cuts the name at 60 characters. */
export function printableName(name: string): string {
  const visible = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  const characters = [...visible];
  if (characters.length <= MAX_NAME_CHARACTERS) return visible;
  return `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`;
}

/** A user as they typed their name, and the address that they used. */
interface Actor {
  username: string;
  address: string;
}

const printable = ({ username, address }: Actor) => ({ username: printableName(username), address });

interface SignedInInput extends Actor {
  remembered: boolean;
  /** `off`: the account has no second factor. */
  secondFactor: 'off' | 'app' | 'recovery-code';
}

export function signedInEntry({ remembered, secondFactor, ...actor }: SignedInInput): NewLogEntry {
  const { username, address } = printable(actor);
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
export function passwordAcceptedEntry(actor: Actor): NewLogEntry {
  const metadata = printable(actor);
  const summary = `${metadata.username} entered the correct password. The second factor is pending.`;
  return { type: 'auth', action: 'sign-in', status: 'info', summary, metadata };
}

interface FailedSignInInput extends Actor {
  waitSeconds: number;
  /** `waitSeconds` as text. */
  wait: string;
}

type UnknownNameInput = Omit<FailedSignInInput, 'username'> & { usernameHash: string };

/** Attempts with the same unknown name have the same hash. */
export const unknownNameEntry = ({ usernameHash, address, ...failed }: UnknownNameInput): NewLogEntry =>
  failedSignInEntry('Failed sign-in with an unknown username.', { ...failed, metadata: { usernameHash, address } });

export const wrongPasswordEntry = (failed: FailedSignInInput): NewLogEntry =>
  failedSignInEntry(`Failed sign-in as ${printableName(failed.username)}.`, withActor(failed));

export const wrongCodeEntry = (failed: FailedSignInInput): NewLogEntry =>
  failedSignInEntry(
    `${printableName(failed.username)} entered the correct password but a wrong code.`,
    withActor(failed),
  );

const withActor = ({ wait, waitSeconds, ...actor }: FailedSignInInput): FailedSignIn => ({
  wait,
  waitSeconds,
  metadata: printable(actor),
});

type FailedSignIn = Pick<FailedSignInInput, 'wait' | 'waitSeconds'> & { metadata: object };

const failedSignInEntry = (summary: string, { wait, waitSeconds, metadata }: FailedSignIn): NewLogEntry => ({
  type: 'error',
  action: 'sign-in',
  status: 'error',
  summary: waitSeconds === 0 ? summary : `${summary} The next attempt has to wait ${wait}.`,
  metadata: { ...metadata, waitSeconds },
});

export function signedOutEntry(name: string): NewLogEntry {
  const username = printableName(name);
  return {
    type: 'auth',
    action: 'sign-out',
    status: 'success',
    summary: `${username} signed out.`,
    metadata: { username },
  };
}

/** `address` is that of the device, not of the user who signs it out. */
export function signedOutDeviceEntry({ device, ...actor }: Actor & { device: string }): NewLogEntry {
  const { username, address } = printable(actor);
  return {
    type: 'auth',
    action: 'sign-out',
    status: 'success',
    summary: `${username} signed out a device: ${device || 'Unknown device'}.`,
    metadata: { username, device, deviceAddress: address },
  };
}

export function signedOutEverywhereEntry(name: string, sessions: number): NewLogEntry {
  const username = printableName(name);
  const summary = `${username} was signed out everywhere.`;
  return {
    type: 'auth',
    action: 'sign-out-everywhere',
    status: 'success',
    summary,
    metadata: { username, sessions },
  };
}

interface ExpiredSession {
  username: string;
  remembered: boolean;
  createdAt: Date;
}

export function sessionExpiredEntry({ username: name, remembered, createdAt }: ExpiredSession): NewLogEntry {
  const username = printableName(name);
  return {
    type: 'auth',
    action: 'session-expired',
    status: 'info',
    summary: `A session of ${username} expired.`,
    metadata: { username, remembered, startedAt: createdAt.toISOString() },
  };
}

/**
 * Returns the entry of a user's change to their own account. `what` completes a sentence:
 * `changed their password`.
 */
export function ownAccountChangedEntry(
  { action, what, ...actor }: Actor & { action: 'change-password' | 'second-factor'; what: string },
  details: { otherSessions?: number; remembered?: boolean } = {},
): NewLogEntry {
  const metadata = { ...printable(actor), ...details };
  return { type: 'auth', action, status: 'success', summary: `${metadata.username} ${what}.`, metadata };
}

/** Returns the entry of a signed-in user who failed to prove who they are. */
export function failedReauthenticationEntry({
  action,
  field,
  ...actor
}: Actor & { action: 'change-password' | 'second-factor'; field: 'currentPassword' | 'code' }): NewLogEntry {
  const metadata = printable(actor);
  const summary = `${metadata.username} entered a wrong ${field === 'code' ? 'code' : 'current password'}.`;
  return { type: 'error', action, status: 'error', summary, metadata };
}

/** Returns the entry of a change from the command line, or of the first start. */
export const accountChangedEntry = (action: NewLogEntry['action'], summary: string, username: string): NewLogEntry => ({
  type: 'system',
  action,
  status: 'success',
  summary,
  metadata: { username },
});

export const defaultCredentialsEntry = (summary: string): NewLogEntry => ({
  type: 'system',
  action: 'default-credentials',
  status: 'warning',
  summary,
});
