import type { Routes } from '#contracts/api.ts';
import type { CallInput, ResponseOf } from '#contracts/endpoint.ts';
import type { SharedParts } from '#contracts/shares.ts';

export interface ShareDraft {
  /** With an empty last row to fill in. */
  recipients: { name: string; email: string }[];
  title: string;
  message: string;
  days: number;
  passcode: string;
  shows: SharedParts;
  mayComment: boolean;
  mayDecide: boolean;
  send: boolean;
}

const DEFAULT_DAYS = 14;
const DAY_MS = 24 * 60 * 60_000;

/** The last choices for the client, without the title and the passcode. */
export const draftOf = (last: ResponseOf<Routes['GET /api/share-defaults']>, title: string): ShareDraft => ({
  recipients: last
    ? last.recipients.map(({ name, email }) => ({ name, email: email ?? '' }))
    : [{ name: '', email: '' }],
  title,
  message: last?.message ?? '',
  days: last?.days ?? DEFAULT_DAYS,
  passcode: '',
  shows: last?.shows ?? { name: 'full', contact: false, transcript: true, summary: true, questions: true },
  mayComment: last?.mayComment ?? true,
  mayDecide: last?.mayDecide ?? true,
  send: false,
});

export const namedRecipients = ({ recipients }: ShareDraft) => recipients.filter(({ name }) => name.trim() !== '');

/** The problem that keeps the draft from being shared. */
export function problemOf(draft: ShareDraft): string | null {
  if (namedRecipients(draft).length === 0) return 'Enter the name of a recipient.';
  if (draft.recipients.some(({ name, email }) => name.trim() === '' && email.trim() !== ''))
    return 'Enter a name for each email address.';
  if (draft.title.trim() === '') return 'Enter a title.';
  if (draft.days === 0) return 'Enter for how many days the links work.';
  if (draft.passcode !== '' && draft.passcode.length < 4) return 'A passcode needs at least 4 characters.';
  if (draft.send && namedRecipients(draft).some(({ email }) => email.trim() === ''))
    return 'To send the links, enter the email address of every recipient.';
  return null;
}

/** The fields that a share and its preview have in common. */
const contentOf = ({ title, message, shows, mayComment, mayDecide, days }: ShareDraft, interviewIds: string[]) => ({
  interviewIds,
  title,
  message: message || null,
  shows,
  mayComment,
  mayDecide,
  expiresAt: new Date(Date.now() + Math.max(1, days) * DAY_MS - 60_000).toISOString(),
});

export const sharesOf = (draft: ShareDraft, interviewIds: string[]): CallInput<Routes['POST /api/shares']>['body'] => ({
  ...contentOf(draft, interviewIds),
  recipients: namedRecipients(draft).map(({ name, email }) => ({ name, email: email.trim() || null })),
  passcode: draft.passcode || null,
  send: draft.send,
});

export const previewOf = (draft: ShareDraft, interviewIds: string[]) => ({
  ...contentOf(draft, interviewIds),
  recipient: namedRecipients(draft)[0]?.name ?? 'the recipient',
});
