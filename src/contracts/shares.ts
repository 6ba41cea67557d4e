import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewId, integerFrom, Moment, OptionalEmail, RowPath, TokenPath, visibleLine } from './fields.ts';
import { MAX_DURATION_SECONDS, SHARE_LIMITS } from './rules/limits.ts';
import { TranscriptSegment } from './transcripts.ts';

export const CLIENT_VERDICTS = ['yes', 'maybe', 'no'] as const;
export type ClientVerdict = (typeof CLIENT_VERDICTS)[number];
export const SHARE_STATES = ['waiting', 'opened', 'decided', 'expired', 'revoked', 'closed'] as const;
/**
 * `waiting`: not opened. `decided`: the recipient has decided on every candidate. `closed`: locked
 * after too many wrong passcodes until staff reopen it.
 */
export type ShareState = (typeof SHARE_STATES)[number];

const textOf = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `may have at most ${max.toLocaleString('en-US')} characters`)
    .overwrite((text) => text.toWellFormed());

const Recipient = z.object({ name: z.string(), email: z.string().nullable() });
export type Recipient = z.infer<typeof Recipient>;

/** Contact details are only shown together with the full name. */
export const SharedParts = z.object({
  /** The part of the candidate's name. */
  name: z.enum(['full', 'first', 'hidden']),
  contact: z.boolean(),
  transcript: z.boolean(),
  summary: z.boolean(),
  questions: z.boolean(),
});
export type SharedParts = z.infer<typeof SharedParts>;

/** The content of a share, the same for every recipient. */
const SharedContent = z.object({
  /** In the order in which recipients see them. */
  interviewIds: z
    .array(InterviewId)
    .min(1)
    .max(SHARE_LIMITS.interviews)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not contain an interview twice' }),
  title: visibleLine(SHARE_LIMITS.title),
  message: textOf(SHARE_LIMITS.message).nullish(),
  shows: SharedParts,
  mayComment: z.boolean(),
  mayDecide: z.boolean(),
  /** In the future, at most 180 days from now. */
  expiresAt: Moment,
});

const NewShares = SharedContent.extend({
  recipients: z
    .array(z.object({ name: visibleLine(SHARE_LIMITS.name), email: OptionalEmail.nullish() }))
    .min(1)
    .max(SHARE_LIMITS.recipients),
  passcode: z.string().min(4).max(100).nullish(),
  /** True: the links are also sent by e-mail. Every recipient then needs an address. */
  send: z.boolean().optional(),
});

/** A link, which no later response contains. */
export const NewLink = z.object({ id: z.int(), recipient: Recipient, link: z.string() });
export type NewLink = z.infer<typeof NewLink>;

/** Not in the specification, like everything in this file. */
export const createShares = endpoint({
  method: 'POST',
  path: '/api/shares',
  summary: 'Shares interviews with people who have no account: a link for each recipient',
  role: 'recruiter',
  scope: 'write',
  status: 201,
  body: NewShares,
  response: z.array(NewLink),
});

const comment = { atSeconds: z.number(), body: z.string(), createdAt: Moment };

const ShareInterview = z.object({
  interviewId: z.string(),
  title: z.string(),
  candidateName: z.string().nullable(),
  /** The part of the recording that the recipient has seen, from 0 to 1. */
  watched: z.number(),
  verdict: z.enum(CLIENT_VERDICTS).nullable(),
  verdictNote: z.string().nullable(),
  decidedAt: Moment.nullable(),
  comments: z.array(z.object(comment)),
});

export const Share = z.object({
  id: z.int(),
  /** Shared by all links that were created together. */
  batchId: z.int(),
  title: z.string(),
  recipient: Recipient,
  interviews: z.array(ShareInterview),
  createdAt: Moment,
  /** The first opening. */
  openedAt: Moment.nullable(),
  expiresAt: Moment,
  revokedAt: Moment.nullable(),
  /** The sender's name. Kept after their account is deleted. */
  createdBy: z.string(),
  hasPasscode: z.boolean(),
  state: z.enum(SHARE_STATES),
});
export type Share = z.infer<typeof Share>;

export const listShares = endpoint({
  method: 'GET',
  path: '/api/shares',
  summary: 'Links of interviews that the caller sees, starting with the ones awaiting a response; at most 1,000',
  role: 'recruiter',
  scope: 'read',
  query: z.object({ interviewId: InterviewId.optional(), state: z.enum(SHARE_STATES).optional() }),
  response: z.array(Share),
});

export const updateShare = endpoint({
  method: 'PUT',
  path: '/api/shares/:id',
  summary: 'Extends, revokes, closes or reopens a link',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  body: z
    .object({
      expiresAt: Moment,
      revoked: z.boolean(),
      /** False also resets the count of wrong passcodes. */
      closed: z.boolean(),
    })
    .partial(),
  response: Share,
});

export const renewShareLink = endpoint({
  method: 'POST',
  path: '/api/shares/:id/link',
  summary: 'Creates a new link for the recipient; the earlier one stops working',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  response: z.object({ link: z.string() }),
});

const SharedQuestion = z.object({
  position: z.int(),
  question: z.string(),
  /** Where the answer starts; null when it is unknown. */
  startSeconds: z.number().nullable(),
});

/** Parts that are not shown are null. */
export const SharedItem = z.object({
  /** Starts at 1, in the order of `interviewIds`. A deleted interview leaves a gap. */
  n: z.int(),
  name: z.string(),
  title: z.string(),
  contact: z.object({ email: z.string().nullable(), phone: z.string().nullable() }).nullable(),
  /** 0 means unknown. */
  durationSeconds: z.number(),
  hasVideo: z.boolean(),
  hasThumbnail: z.boolean(),
  transcript: z.string().nullable(),
  /** The transcript with its times. Empty when no times are known. */
  segments: z.array(TranscriptSegment),
  summary: z.string().nullable(),
  questions: z.array(SharedQuestion).nullable(),
  verdict: z.enum(CLIENT_VERDICTS).nullable(),
  verdictNote: z.string().nullable(),
  /** The recipient's comments. */
  comments: z.array(z.object({ id: z.int(), ...comment })),
});
export type SharedItem = z.infer<typeof SharedItem>;

export const SharedPage = z.object({
  title: z.string(),
  message: z.string().nullable(),
  /** Names of the recipient and of the sender. */
  recipient: z.string(),
  sender: z.string(),
  expiresAt: Moment,
  mayComment: z.boolean(),
  mayDecide: z.boolean(),
  items: z.array(SharedItem),
});
export type SharedPage = z.infer<typeof SharedPage>;

/** The page that a share with these choices would have. */
export const previewShare = endpoint({
  method: 'POST',
  path: '/api/share-preview',
  summary: 'A preview of the page that recipients would see',
  role: 'recruiter',
  scope: 'read',
  // Unlike in a share, the title and the name may still be empty.
  body: SharedContent.extend({ title: textOf(SHARE_LIMITS.title), recipient: textOf(SHARE_LIMITS.name) }),
  response: SharedPage,
});

/** The choices of the caller's last share for the client of an interview. */
export const getShareDefaults = endpoint({
  method: 'GET',
  path: '/api/share-defaults',
  summary: "The caller's last choices for the client of an interview; null without any",
  role: 'recruiter',
  scope: 'read',
  query: z.object({ interviewId: InterviewId }),
  response: z
    .object({
      recipients: z.array(Recipient),
      message: z.string().nullable(),
      shows: SharedParts,
      mayComment: z.boolean(),
      mayDecide: z.boolean(),
      /** From creation to expiry. */
      days: z.int(),
    })
    .nullable(),
});

const ofGuests = { role: 'open', scope: null, params: TokenPath } as const;
const guestBody = { ...ofGuests, maxBodyBytes: 64 * 1024 };

/** The number of an item. */
const n = integerFrom(1, SHARE_LIMITS.interviews, `must be a whole number from 1 to ${SHARE_LIMITS.interviews}`);
const seconds = z.number().min(0).max(MAX_DURATION_SECONDS);

/** The cookie is valid for this link only, and for 12 hours. */
export const openShare = endpoint({
  method: 'POST',
  path: '/s/:token/open',
  summary: 'Opens a link: sets the cookie that its other endpoints need',
  ...guestBody,
  status: 204,
  // A request without a body has no passcode.
  body: z.preprocess((body) => body ?? {}, z.object({ passcode: z.string().max(100).nullish() })),
  response: z.void(),
});

export const getSharedPage = endpoint({
  method: 'GET',
  path: '/s/:token/items',
  summary: 'The interviews of an opened link',
  ...ofGuests,
  response: SharedPage,
});

export const recordSharedWatching = endpoint({
  method: 'POST',
  path: '/s/:token/watched',
  summary: 'Adds ranges of seconds that the recipient has watched; overlapping ranges count once',
  ...guestBody,
  status: 204,
  body: z.object({
    n,
    ranges: z
      .array(
        z
          .tuple([seconds, seconds], 'must be pairs of seconds, such as [0, 5]')
          .refine(([from, to]) => from <= to, { error: 'must not end before they begin' }),
      )
      .max(SHARE_LIMITS.ranges),
  }),
  response: z.void(),
});

export const decideShared = endpoint({
  method: 'PUT',
  path: '/s/:token/verdict',
  summary: "Stores the recipient's decision on a candidate",
  ...guestBody,
  status: 204,
  body: z.object({ n, verdict: z.enum(CLIENT_VERDICTS), note: textOf(SHARE_LIMITS.note).nullish() }),
  response: z.void(),
});

export const commentShared = endpoint({
  method: 'POST',
  path: '/s/:token/comments',
  summary: 'Adds a comment of the recipient at a moment of the recording',
  ...guestBody,
  status: 201,
  body: z.object({
    n,
    atSeconds: seconds,
    body: textOf(SHARE_LIMITS.comment).min(1, 'must not be empty'),
  }),
  response: SharedItem.shape.comments.element,
});
