import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Not in the specification. */
export const getAts = endpoint({
  method: 'GET',
  path: '/api/ats',
  summary: 'The applicant tracking system, and the account that notes are written as',
  role: 'recruiter',
  scope: 'read',
  response: z.object({
    /** Null without an applicant tracking system (ATS). */
    name: z.string().nullable(),
    /** `reconnect`: the ATS rejects the sign-in until an administrator renews it. */
    state: z.enum(['connected', 'reconnect', 'not_configured']),
    account: z.string().nullable(),
  }),
});

export const AtsJob = z.object({
  employerId: z.string(),
  employerName: z.string(),
  jobId: z.string(),
  title: z.string(),
  isOpen: z.boolean(),
  url: z.string().nullable(),
});
export type AtsJob = z.infer<typeof AtsJob>;

/** Not in the specification. At most 20, recently changed first. */
export const searchAtsJobs = endpoint({
  method: 'GET',
  path: '/api/ats/jobs',
  summary: 'Open jobs in the applicant tracking system whose title or client contains all words',
  role: 'recruiter',
  scope: 'write',
  query: z.object({ search: z.string().trim().max(200).default('') }),
  response: z.array(AtsJob),
});
