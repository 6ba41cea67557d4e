import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { FUNNEL_SOURCES } from './sources.ts';

/** The services that an administrator can connect, apart from sources. */
export const CONNECTIONS = ['youtube', 'transcription', 'summaries', 'mail', 'applicationLink', 'ats'] as const;
export type Connection = (typeof CONNECTIONS)[number];

export const Setup = z.object({
  /** An administrator has set up a service, or a funnel reads a source that needs no setup. */
  interviewService: z.boolean(),
  /** The sources that funnels can read on this server. */
  sources: z.array(z.enum(FUNNEL_SOURCES)),
  /** At least one funnel exists. */
  funnel: z.boolean(),
  activeFunnel: z.boolean(),
  /** A refresh has completed. */
  refreshed: z.boolean(),
  youtube: z.boolean(),
  transcription: z.boolean(),
  summaries: z.boolean(),
  mail: z.boolean(),
  applicationLink: z.boolean(),
  /** The applicant tracking system accepts our sign-in. */
  ats: z.boolean(),
  /** The account that writes the notes. `canWrite` is null while the ATS does not respond. */
  atsAccount: z.object({ name: z.string(), account: z.string(), canWrite: z.boolean().nullable() }).nullable(),
});
export type Setup = z.infer<typeof Setup>;

/** Not in the specification. */
export const getSetup = endpoint({
  method: 'GET',
  path: '/api/setup',
  summary: 'What is set up, and what is not',
  role: 'recruiter',
  scope: 'read',
  response: Setup,
});
