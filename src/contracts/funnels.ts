import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { integerFrom, MessageResponse, Moment, RowPath } from './fields.ts';
import { FUNNEL_LIMITS, MAX_DAILY_LIMIT, REFRESH_MINUTES } from './rules/limits.ts';
import { FUNNEL_SOURCES } from './sources.ts';

const text = (max: number) => z.string().trim().max(max, `must be at most ${max} characters`);
const required = (max: number) => text(max).min(1, 'is required');
const optional = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value || null);

/** The processing of interviews that a refresh adds. `summarize` transcribes first. */
export const NEW_INTERVIEWS = ['nothing', 'transcribe', 'summarize'] as const;
const NewInterviews = z.enum(NEW_INTERVIEWS, { error: 'must be nothing, transcribe or summarize' });

const Source = z.enum(FUNNEL_SOURCES, { error: `must be one of ${FUNNEL_SOURCES.join(', ')}` });

/** Empty optional fields become null. */
export const FunnelForm = z.object({
  name: required(FUNNEL_LIMITS.name),
  clientName: optional(FUNNEL_LIMITS.clientName),
  apiKey: required(FUNNEL_LIMITS.apiKey),
  funnelId: required(FUNNEL_LIMITS.funnelId),
  directLink: optional(FUNNEL_LIMITS.directLink).refine((link) => link === null || /^https?:\/\/\S+$/i.test(link), {
    error: 'must be a link that starts with http:// or https://',
  }),
  description: optional(FUNNEL_LIMITS.description),
  skills: optional(FUNNEL_LIMITS.skills),
  professionalExpectations: optional(FUNNEL_LIMITS.professionalExpectations),
  skillExpectations: optional(FUNNEL_LIMITS.skillExpectations),
  educationExpectations: optional(FUNNEL_LIMITS.educationExpectations),
  cultureExpectations: optional(FUNNEL_LIMITS.cultureExpectations),
  /**
   * Not in the specification. Default: false for a new funnel, the stored value for an existing
   * one.
   */
  processAutomatically: z.boolean().optional(),
  /**
   * Not in the specification. Default: `rest` for a new funnel, the stored source for an existing
   * one.
   */
  source: Source.optional(),
  /**
   * Not in the specification. Null: only users refresh the funnel. Default: null for a new funnel,
   * the stored value for an existing one.
   */
  refreshMinutes: integerFrom(...REFRESH_MINUTES, 'must be a whole number of minutes from 15 to 10080').nullish(),
  newInterviews: NewInterviews.optional(),
  /** Null: no limit. */
  dailyLimit: integerFrom(1, MAX_DAILY_LIMIT, 'must be a whole number from 1 to 10000').nullish(),
});
export type FunnelForm = z.output<typeof FunnelForm>;

const line = z.string().nullable();

/** A source of interviews. `id` is ours; `funnelId` is the id in the interview service. */
export const Funnel = z.object({
  id: z.int(),
  name: z.string(),
  clientName: line,
  description: line,
  apiKey: z.string(),
  funnelId: z.string(),
  directLink: line,
  skills: line,
  professionalExpectations: line,
  skillExpectations: line,
  educationExpectations: line,
  cultureExpectations: line,
  isActive: z.boolean(),
  /**
   * Converts and summarizes interviews that a refresh adds. Includes what `newInterviews` names.
   */
  processAutomatically: z.boolean(),
  source: z.enum(FUNNEL_SOURCES),
  /** How often the funnel is refreshed without a user. Null: never. */
  refreshMinutes: z.int().nullable(),
  newInterviews: NewInterviews,
  /** New interviews that are processed per day (UTC); the others wait for the next day. */
  dailyLimit: z.int().nullable(),
  createdAt: Moment,
  interviewCount: z.int(),
});
export type Funnel = z.infer<typeof Funnel>;

export const listFunnels = endpoint({
  method: 'GET',
  path: '/api/funnels',
  summary: 'All funnels, newest first',
  role: 'reviewer',
  scope: 'read',
  response: z.array(Funnel),
});

export const getActiveFunnel = endpoint({
  method: 'GET',
  path: '/api/funnels/active',
  summary: 'The active funnel, or null',
  role: 'reviewer',
  scope: 'read',
  response: Funnel.nullable(),
});

export const createFunnel = endpoint({
  method: 'POST',
  path: '/api/funnels',
  summary: 'Creates a funnel; it starts inactive',
  role: 'recruiter',
  scope: 'write',
  needsAllFunnels: true,
  status: 201,
  body: FunnelForm,
  response: Funnel,
});

export const updateFunnel = endpoint({
  method: 'PUT',
  path: '/api/funnels/:id',
  summary: 'Replaces the fields of a funnel',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  body: FunnelForm,
  response: Funnel,
});

export const deleteFunnel = endpoint({
  method: 'DELETE',
  path: '/api/funnels/:id',
  summary: 'Deletes a funnel with its interviews, their files and their published videos',
  role: 'administrator',
  scope: 'write',
  params: RowPath,
  /** The published videos that are removed from the video host after the response. */
  response: MessageResponse.extend({ publishedVideos: z.int() }),
});

/** Not in the specification. Shown before a deletion; includes archived interviews. */
export const getFunnelContents = endpoint({
  method: 'GET',
  path: '/api/funnels/:id/contents',
  summary: 'The number of interviews of a funnel, and of those with a stored recording',
  role: 'administrator',
  scope: 'read',
  params: RowPath,
  response: z.object({ interviews: z.int(), recordings: z.int() }),
});

export const activateFunnel = endpoint({
  method: 'POST',
  path: '/api/funnels/:id/activate',
  summary: 'Makes this funnel the active one; all others become inactive',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  response: Funnel,
});

const Connection = FunnelForm.pick({ apiKey: true }).extend({ source: Source });

/**
 * Not in the specification. Returns 409 when the service rejects the call or is unreachable, never
 * 401.
 */
export const checkFunnel = endpoint({
  method: 'POST',
  path: '/api/funnels/check',
  summary: 'Reads the name and the number of interviews of a funnel at its service',
  role: 'recruiter',
  scope: 'write',
  body: Connection.extend({ funnelId: FunnelForm.shape.funnelId }),
  response: z.object({ name: z.string(), interviews: z.int() }),
});

/** Not in the specification. */
export const listPositions = endpoint({
  method: 'POST',
  path: '/api/funnels/positions',
  summary: 'The funnels that an API key can read at its service. Null when the service has no list',
  role: 'recruiter',
  scope: 'write',
  body: Connection,
  response: z.object({
    positions: z.array(z.object({ id: z.string(), name: z.string(), isArchived: z.boolean() })).nullable(),
  }),
});

/** Not in the specification. The System Logs record who asks for a key. */
export const revealApiKey = endpoint({
  method: 'POST',
  path: '/api/funnels/:id/reveal-api-key',
  summary: 'The API key of a funnel, to show it',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  response: z.object({ apiKey: z.string() }),
});
