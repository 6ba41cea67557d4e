import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewPath, integerFrom, MessageResponse, Moment } from './fields.ts';
import { MAX_ROW_ID, UPLOAD_LIMITS } from './rules/limits.ts';
import { withoutDirections } from './rules/plain-text.ts';

const text = (max: number) =>
  z
    .string()
    .overwrite(withoutDirections)
    .trim()
    .max(max, `must be at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');
const optional = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value || null);

/** The details that staff enter about a recording. Empty optional fields become null. */
export const RecordingDetails = z.object({
  candidateName: text(UPLOAD_LIMITS.candidateName).min(1, 'is required'),
  candidateEmail: optional(UPLOAD_LIMITS.candidateEmail).refine(
    (email) => email === null || /^[^\s@]+@[^\s@]+$/.test(email),
    { error: 'must be an email address, such as dana@example.com' },
  ),
  title: optional(UPLOAD_LIMITS.title),
  /** Default: the time of the upload. */
  recordedDate: Moment.nullish().transform((value) => value ?? null),
});
export type RecordingDetails = z.output<typeof RecordingDetails>;

/** A JPEG, PNG or WebP image in base64. */
const Image = z
  .string()
  .max(UPLOAD_LIMITS.thumbnail, `must be at most ${UPLOAD_LIMITS.thumbnail.toLocaleString('en-US')} characters`)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be an image in base64');

export const UploadForm = RecordingDetails.extend({
  funnelId: integerFrom(1, MAX_ROW_ID, 'must be the id of a funnel'),
  fileName: text(UPLOAD_LIMITS.fileName).min(1, 'is required'),
  /** In bytes. */
  size: z.int('must be a number of bytes').min(1, 'must be at least 1 byte'),
  /** When the file was last changed. With its name and size, it identifies the file. */
  modifiedAt: Moment,
  thumbnail: Image.nullish().transform((value) => value ?? null),
});
export type UploadForm = z.output<typeof UploadForm>;

export const Upload = z.object({
  /** Also the id of the interview that it becomes. */
  id: z.string(),
  funnelId: z.int(),
  fileName: z.string(),
  size: z.int(),
  modifiedAt: Moment,
  /** The bytes that have arrived. */
  received: z.int(),
  candidateName: z.string(),
  candidateEmail: z.string().nullable(),
  title: z.string().nullable(),
  recordedDate: Moment.nullable(),
  /**
   * - `receiving`: bytes are missing
   * - `checking`: complete; a job checks its content and adds the interview
   * - `duplicate`: an interview has the same recording, so the user decides
   * - `failed`: refused; `problem` is the reason
   * - `done`: an interview with the same id exists
   */
  state: z.enum(['receiving', 'checking', 'duplicate', 'failed', 'done']),
  /** Why it failed or waits; null while nothing is wrong. */
  problem: z.string().nullable(),
  /** The interview with the same recording. */
  duplicateOf: z.string().nullable(),
  createdAt: Moment,
});
export type Upload = z.infer<typeof Upload>;
export type UploadState = Upload['state'];

/** Not in the specification, like all endpoints of uploads. */
export const listUploads = endpoint({
  method: 'GET',
  path: '/api/uploads',
  summary: 'The unfinished uploads of the account, and the uploads that ended in the last hour, oldest first',
  role: 'recruiter',
  scope: 'write',
  response: z.array(Upload),
});

/** The bytes follow at `/api/uploads/:id/content` through the tus protocol. */
export const createUpload = endpoint({
  method: 'POST',
  path: '/api/uploads',
  summary: 'Begins an upload; its bytes follow at /api/uploads/{id}/content (tus 1.0: HEAD and PATCH)',
  role: 'recruiter',
  scope: 'write',
  status: 201,
  body: UploadForm,
  response: Upload,
});

export const keepDuplicate = endpoint({
  method: 'POST',
  path: '/api/uploads/:id/keep',
  summary: 'Adds a recording although an interview has the same one',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});

export const deleteUpload = endpoint({
  method: 'DELETE',
  path: '/api/uploads/:id',
  summary: 'Cancels an upload and deletes what has arrived',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});
