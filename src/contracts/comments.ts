import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewPath, MessageResponse, Moment, Seconds } from './fields.ts';
import { MAX_COMMENT_LENGTH } from './rules/limits.ts';

/** Not in the specification, like everything in this file. */
const Body = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(MAX_COMMENT_LENGTH, `must be at most ${MAX_COMMENT_LENGTH.toLocaleString('en-US')} characters`);

/** Any text: an unknown id is a 404. */
export const CommentPath = z.object({ id: z.string().max(200) });

export const Comment = z.object({
  id: z.string(),
  /** The username. Kept after the account is deleted. */
  author: z.string(),
  isMine: z.boolean(),
  body: z.string(),
  /** The moment in the recording. */
  atSeconds: z.number(),
  createdAt: Moment,
  /** Null if the comment was never changed. */
  editedAt: Moment.nullable(),
});
export type Comment = z.infer<typeof Comment>;

export const listComments = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/comments',
  summary:
    "Comments on an interview, ordered by moment; includes others' comments once the caller has submitted a review",
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: z.array(Comment),
});

export const addComment = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/comments',
  summary: 'Adds a comment at a moment of an interview; @name mentions a colleague who can see it',
  role: 'reviewer',
  scope: 'write',
  status: 201,
  params: InterviewPath,
  body: z.object({ body: Body, atSeconds: Seconds }),
  response: Comment,
});

export const updateComment = endpoint({
  method: 'PUT',
  path: '/api/comments/:id',
  summary: "Changes a comment of the caller's",
  role: 'reviewer',
  scope: 'write',
  params: CommentPath,
  body: z.object({ body: Body, /** Default: the stored one. */ atSeconds: Seconds.optional() }),
  response: Comment,
});

export const deleteComment = endpoint({
  method: 'DELETE',
  path: '/api/comments/:id',
  summary: "Deletes a comment of the caller's",
  role: 'reviewer',
  scope: 'write',
  params: CommentPath,
  response: MessageResponse,
});

export const listColleagues = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/colleagues',
  summary: 'The usernames of colleagues who see an interview, for mentions',
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: z.array(z.string()),
});
