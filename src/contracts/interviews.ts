import { z } from 'zod';
import { AtsPush } from './ats-pushes.ts';
import { endpoint } from './endpoint.ts';
import {
  InterviewPath,
  MessageResponse,
  Moment,
  PageNumber,
  PageSize,
  RowId,
  RowPath,
  repeatable,
  TextVersion,
} from './fields.ts';
import { BADGES, STEP_STATUSES } from './rules/badges.ts';
import { parseDestination } from './rules/destination.ts';
import { MAX_DURATION_SECONDS, MAX_NOTES_LENGTH, MAX_SEARCH_LENGTH, MAX_TEXT_LENGTH } from './rules/limits.ts';
import { renderSummary } from './rules/render-summary.ts';
import { EditedSummary } from './summaries.ts';

export const StepStatus = z.enum(STEP_STATUSES);
const text = z.string().nullable();

export const Question = z.object({
  position: z.int(),
  question: z.string(),
  /** Not in the specification. Where the answer starts, if the interview service reports it. */
  startSeconds: z.number().nonnegative().optional(),
});
export type Question = z.infer<typeof Question>;

const step = {
  status: StepStatus,
  updatedAt: Moment,
  /** Why the last attempt failed. */
  error: z.string().optional(),
  /** Not in the specification. True for a failure that would repeat. */
  permanent: z.literal(true).optional(),
  /** Why a running step waits, or how its result differs from the request. */
  note: z.string().optional(),
};
/** A step that was never started has no entry. */
export const ProcessingStatus = z.object({
  youtube: z.object({ ...step, progress: z.number(), privacy: z.string().optional() }).optional(),
  transcription: z.object(step).optional(),
  summary: z.object(step).optional(),
  destination: z.object({ id: z.string(), url: text, notes: text, added: Moment.nullable() }).optional(),
  questions: z.array(Question),
});
export type ProcessingStatus = z.infer<typeof ProcessingStatus>;

/** Where a search found an interview. The text is one line, shortened around the first word. */
export const SearchMatch = z.object({
  field: z.enum(['title', 'candidateName', 'candidateEmail', 'clientName', 'interviewId', 'transcript', 'summary']),
  text: z.string(),
  /** When the line is spoken; null when its time is unknown. */
  startSeconds: z.number().nonnegative().nullable(),
});
export type SearchMatch = z.infer<typeof SearchMatch>;

/** Answers that were recorded separately. */
export const SeparateAnswers = z.object({
  /** The sum of the known lengths. */
  seconds: z.number(),
  /** True until all recordings have arrived and are joined; false when they cannot be joined. */
  isPreparing: z.boolean(),
});
export type SeparateAnswers = z.infer<typeof SeparateAnswers>;

/** Section 3 of the specification. A step's status is null until the step is first started. */
export const Interview = z.object({
  id: z.string(),
  interviewId: z.string(),
  title: z.string(),
  description: text,
  candidateName: text,
  candidateEmail: text,
  candidatePhone: text,
  recordedDate: Moment,
  /** Seconds; 0 means unknown. */
  duration: z.number(),
  originalUrl: text,
  thumbnailUrl: text,
  thumbnailFile: text,
  videoUrl: text,
  videoFile: text,
  hasLocalCopy: z.boolean(),
  youtubeId: text,
  youtubeUrl: text,
  youtubeStatus: StepStatus.nullable(),
  transcriptionStatus: StepStatus.nullable(),
  /** Null in a list with `texts=false`. */
  transcriptionText: text,
  summaryStatus: StepStatus.nullable(),
  /** Null in a list with `texts=false`. */
  summaryText: text,
  destinationId: text,
  destinationUrl: text,
  clientName: text,
  /** `funnelId` is the id in the interview service, `funnelIdNum` ours. */
  funnelId: z.string(),
  funnelIdNum: z.int(),
  createdAt: Moment,
  archived: z.boolean(),
  processingStatus: ProcessingStatus,
  /** Not in the specification. True when the account of the caller has watched the interview. */
  watched: z.boolean(),
  /**
   * Not in the specification. The recommendation in the caller's submitted review, from 1 (strong
   * no) to 4 (strong yes). Null without a submitted review.
   */
  myRecommendation: z.int().nullable(),
  /**
   * Not in the specification. Null unless the interview has a recording for each answer instead of
   * one video.
   */
  separateAnswers: SeparateAnswers.nullable(),
  /**
   * Not in the specification. The note about the interview in the applicant tracking system. Null
   * when it was never sent to the one that is connected.
   */
  push: AtsPush.nullable(),
  /** Not in the specification. Null without a search. */
  match: SearchMatch.nullable(),
});
export type Interview = z.infer<typeof Interview>;

/**
 * Not in the specification. `false` omits transcripts and summaries. Reading a transcript is
 * recorded in the System Logs.
 */
const WithTexts = z.enum(['true', 'false'], { error: 'must be true or false' }).default('true');

export const ListQuery = z.object({
  page: PageNumber,
  limit: PageSize,
  search: z.string().trim().max(MAX_SEARCH_LENGTH).optional(),
  funnelId: repeatable(RowId),
  clientName: repeatable(z.string().min(1).max(50)),
  status: z.enum(['all', ...BADGES], { error: `must be one of all, ${BADGES.join(', ')}` }).default('all'),
  startDate: Moment.optional(),
  endDate: Moment.optional(),
  /** Not in the specification. `1` lists the archived interviews instead of the others. */
  archived: z.enum(['0', '1'], { error: 'must be 0 or 1' }).default('0'),
  /** Not in the specification. Excludes interviews that the account of the caller has watched. */
  unwatched: z.literal('1', { error: 'must be 1' }).optional(),
  /** Not in the specification. Excludes interviews that the account of the caller has reviewed. */
  unreviewed: z.literal('1', { error: 'must be 1' }).optional(),
  /**
   * Not in the specification. Lists only interviews that the account of the caller recommends (yes,
   * strong yes) or advises against (no, strong no).
   */
  decision: z.enum(['yes', 'no'], { error: 'must be yes or no' }).optional(),
  /**
   * Interviews that were watched or reviewed after this moment count as unwatched and unreviewed.
   * Browsers send the start of a review, so that its interviews keep their positions in the list.
   */
  asOf: Moment.optional(),
  /** Not in the specification. `1` lists only interviews that are ready to send. */
  ready: z.enum(['0', '1'], { error: 'must be 0 or 1' }).default('0'),
  /** Not in the specification. Lists only interviews that have no transcript. */
  withoutTranscript: z.literal('1', { error: 'must be 1' }).optional(),
  /** Not in the specification. Default: the newest recorded first. */
  sort: z.enum(['newest', 'oldest', 'longest'], { error: 'must be newest, oldest or longest' }).optional(),
  /** Makes a page several times smaller. */
  texts: WithTexts,
});
export type ListQuery = z.output<typeof ListQuery>;

/**
 * Counts the interviews with failed steps that are not archived, regardless of the filters. Not in
 * the specification.
 */
export const Failures = z.object({
  /** Those with a step that may succeed when it is retried. */
  interviews: z.int(),
  /** Interviews whose failed steps would all fail again. */
  permanent: z.int(),
});
export type Failures = z.infer<typeof Failures>;

export const listInterviews = endpoint({
  method: 'GET',
  path: '/api/interviews',
  summary: 'Interviews, newest recorded first unless sorted otherwise; archived ones only on request',
  role: 'reviewer',
  scope: 'read',
  query: ListQuery,
  response: z.object({ interviews: z.array(Interview), total: z.int(), failures: Failures }),
});

/**
 * Not in the specification. One answer of an interview whose answers were recorded separately.
 */
export const InterviewSegment = z.object({
  /** From 0. */
  position: z.int(),
  question: text,
  videoFile: text,
  thumbnailFile: text,
  /** 0 means unknown. */
  durationSeconds: z.number(),
  /** Where the answer starts in the joined recording. Null until it is joined. */
  startSeconds: z.number().nullable(),
  /** False while the interview service processes the recording. A later refresh fetches it. */
  isReady: z.boolean(),
});
export type InterviewSegment = z.infer<typeof InterviewSegment>;

export const InterviewDetails = Interview.extend({
  /** Not in the specification. Empty when the interview is a single recording. */
  segments: z.array(InterviewSegment),
});
export type InterviewDetails = z.infer<typeof InterviewDetails>;

export const getInterview = endpoint({
  method: 'GET',
  path: '/api/interviews/:id',
  summary: 'One interview with its answers, transcript and summary',
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  query: z.object({ texts: WithTexts }),
  response: InterviewDetails,
});

/** When the interview has no video, the response is a success with nulls. */
export const VideoInfo = z.object({
  videoUrl: text,
  videoFile: text,
  hasLocalCopy: z.boolean(),
  candidateName: text,
  candidateEmail: text,
  /** Not in the specification. Empty when the interview is a single recording. */
  segments: z.array(InterviewSegment),
});
export type VideoInfo = z.infer<typeof VideoInfo>;

export const getVideo = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/video',
  summary: 'Where to play the video of an interview',
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: VideoInfo,
});

export const updateDuration = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/update-duration',
  summary: 'Stores a duration in seconds',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  body: z.object({
    duration: z
      .number('must be a number of seconds')
      .int('must be a whole number of seconds')
      .positive('must be a positive number of seconds')
      .max(MAX_DURATION_SECONDS, `must be at most ${MAX_DURATION_SECONDS} seconds`),
  }),
  response: z.object({ duration: z.number() }),
});

export const archiveInterview = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/archive',
  summary: 'Hides an interview from the list and from future refreshes',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});

export const unarchiveInterview = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/unarchive',
  summary: 'Shows an archived interview again',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});

/** Not in the specification. */
export const dismissFailures = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/dismiss-failures',
  summary: 'Sets the failed steps of an interview to not started',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});

/**
 * Not in the specification. The version of the text that was edited. If the stored text has another
 * version, the response is 409 `text_changed`. A request without `basedOn` always replaces it.
 */
const basedOn = TextVersion.optional();

const editedText = (what: string) =>
  z
    .string()
    .max(MAX_TEXT_LENGTH)
    .refine((value) => value.trim() !== '', { error: `${what} text cannot be empty` })
    .overwrite((text) => text.toWellFormed());

export const saveTranscript = endpoint({
  method: 'PUT',
  path: '/api/interviews/:id/transcript',
  summary: 'Stores an edited transcript and marks the step completed',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  body: z.object({ transcriptionText: editedText('Transcript'), basedOn }),
  response: MessageResponse,
});

export const saveSummary = endpoint({
  method: 'PUT',
  path: '/api/interviews/:id/summary',
  summary: 'Stores an edited summary and marks the step completed',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  body: z
    .object({
      summaryText: editedText('Summary'),
      /** Not in the specification. The sections from which `summaryText` is rendered. */
      structure: EditedSummary.optional(),
      basedOn,
    })
    .refine(({ summaryText, structure }) => !structure || renderSummary(structure) === summaryText, {
      path: ['structure'],
      error: 'must contain the sections of summaryText',
    }),
  response: MessageResponse,
});

export const DestinationFields = z.object({
  destinationId: z
    .string()
    .trim()
    .max(200)
    .refine((id) => parseDestination(id) !== null, {
      error: 'must have the form BUB-<employer id>-<job id>, and neither id may be . or ..',
    })
    .overwrite((text) => text.toWellFormed()),
  notes: z.string().trim().max(MAX_NOTES_LENGTH).nullish(),
});

/** Not in the specification. The initial values of Set Destination for interviews of a funnel. */
export const getDestinationDefaults = endpoint({
  method: 'GET',
  path: '/api/funnels/:id/destination-defaults',
  summary: 'The last employer id of the client, and the template of links to job applications',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  response: z.object({
    employerId: text,
    /** With `{employerId}` and `{jobId}`, to read the ids from a pasted link. */
    linkTemplate: z.string(),
  }),
});

/** A mismatch between a saved destination and the ATS. */
export const DestinationWarning = z.object({
  kind: z.enum(['missing', 'closed', 'other_client']),
  text: z.string(),
});
export type DestinationWarning = z.infer<typeof DestinationWarning>;

export const setDestination = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/destination',
  summary: 'Links the interview to a job application in the ATS',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  body: DestinationFields,
  /** `warning` is not in the specification. Null without an ATS, or if it does not respond. */
  response: MessageResponse.extend({ warning: DestinationWarning.nullable() }),
});
