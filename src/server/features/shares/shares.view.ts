import type { AnswerStart } from '#contracts/review.ts';
import type { Share, SharedItem, SharedPage, SharedParts } from '#contracts/shares.ts';
import type { GuestItemRow, OpenableShare } from './guests.repo.ts';
import { type Redaction, redactionOf } from './redact-names.ts';
import type { ShareRow } from './shares.repo.ts';

const iso = (moment: Date | null) => moment?.toISOString() ?? null;
/** From JSON of the database. */
const isoOf = (moment: string) => new Date(moment).toISOString();

export const viewShare = (row: ShareRow): Share => ({
  id: row.id,
  batchId: row.batchId,
  title: row.title,
  recipient: { name: row.recipientName, email: row.recipientEmail },
  interviews: row.interviews.map(({ comments, decidedAt, ...item }) => ({
    ...item,
    decidedAt: decidedAt && isoOf(decidedAt),
    comments: comments.map((comment) => ({ ...comment, createdAt: isoOf(comment.createdAt) })),
  })),
  createdAt: row.createdAt.toISOString(),
  openedAt: iso(row.openedAt),
  expiresAt: row.expiresAt.toISOString(),
  revokedAt: iso(row.revokedAt),
  createdBy: row.createdByName,
  hasPasscode: row.hasPasscode,
  state: row.state,
});

/** How the candidate of an item is shown. */
export const redactionOfItem = (row: GuestItemRow, shows: SharedParts): Redaction =>
  redactionOf(shows.name, { n: row.n, name: row.candidateName, email: row.candidateEmail });

/** The page as its recipient sees it. `answers` are the starts of answers by interview. */
export function viewSharedPage(
  share: Omit<OpenableShare, 'id' | 'tokenHash' | 'senderId' | 'closedAt' | 'passcodeHash' | 'remainingMs' | 'files'>,
  rows: readonly GuestItemRow[],
  answers: ReadonlyMap<string, readonly AnswerStart[]>,
): SharedPage {
  const items = rows.map((row) => ({ row, redaction: redactionOfItem(row, share.shows) }));
  const hideAll = (text: string) => items.reduce((left, { redaction }) => redaction.text(left), text);
  return {
    title: hideAll(share.title),
    message: share.message && hideAll(share.message),
    recipient: share.recipient,
    sender: share.sender,
    expiresAt: share.expiresAt.toISOString(),
    mayComment: share.mayComment,
    mayDecide: share.mayDecide,
    items: items.map(({ row, redaction }) =>
      viewItem(row, share.shows, {
        redaction,
        starts: new Map(answers.get(row.interviewId)?.map((answer) => [answer.position, answer.startSeconds])),
      }),
    ),
  };
}

function viewItem(
  row: GuestItemRow,
  shows: SharedParts,
  { redaction: { name, text }, starts }: { redaction: Redaction; starts: ReadonlyMap<number, number> },
): SharedItem {
  const isNameUnknown = row.candidateName === null && shows.name !== 'full';
  return {
    n: row.n,
    name,
    // An unknown name cannot be replaced, and titles often contain it.
    title: isNameUnknown ? name : text(row.title),
    // An email address often contains the name.
    contact: shows.contact && shows.name === 'full' ? { email: row.candidateEmail, phone: row.candidatePhone } : null,
    durationSeconds: row.durationSeconds,
    hasVideo: row.videoFile !== null,
    hasThumbnail: row.thumbnailFile !== null,
    transcript: row.transcript === null ? null : text(row.transcript),
    segments: (row.segments ?? []).map((segment) => ({ ...segment, text: text(segment.text) })),
    summary: row.summary === null ? null : text(row.summary),
    questions: shows.questions
      ? row.questions.map(({ position, question }) => ({
          position,
          question: text(question),
          startSeconds: starts.get(position) ?? null,
        }))
      : null,
    verdict: row.verdict,
    verdictNote: row.verdictNote,
    comments: row.comments.map((comment) => ({ ...comment, createdAt: isoOf(comment.createdAt) })),
  };
}
