import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, RowPath } from './fields.ts';
import { MAX_VIEW_NAME_LENGTH, MAX_VIEW_QUERY_LENGTH } from './rules/limits.ts';

const name = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(MAX_VIEW_NAME_LENGTH, `must be at most ${MAX_VIEW_NAME_LENGTH} characters`);

/**
 * Filters of the interview list under a name. Every account has its own. Not in the specification.
 */
export const SavedView = z.object({
  id: z.int(),
  name: z.string(),
  /** The query of the list's URL, without the question mark. */
  query: z.string(),
});
export type SavedView = z.infer<typeof SavedView>;

export const listSavedViews = endpoint({
  method: 'GET',
  path: '/api/saved-views',
  summary: 'The saved views of the account, by name',
  role: 'reviewer',
  scope: 'read',
  response: z.array(SavedView),
});

export const createSavedView = endpoint({
  method: 'POST',
  path: '/api/saved-views',
  summary: 'Saves filters of the interview list under a name',
  role: 'reviewer',
  scope: 'write',
  status: 201,
  body: z.object({
    name,
    query: z
      .string()
      .max(MAX_VIEW_QUERY_LENGTH, `must be at most ${MAX_VIEW_QUERY_LENGTH.toLocaleString('en-US')} characters`)
      .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  }),
  response: SavedView,
});

export const renameSavedView = endpoint({
  method: 'PUT',
  path: '/api/saved-views/:id',
  summary: 'Renames a saved view',
  role: 'reviewer',
  scope: 'write',
  params: RowPath,
  body: z.object({ name }),
  response: SavedView,
});

export const deleteSavedView = endpoint({
  method: 'DELETE',
  path: '/api/saved-views/:id',
  summary: 'Deletes a saved view',
  role: 'reviewer',
  scope: 'write',
  params: RowPath,
  response: MessageResponse,
});
