import { z } from 'zod';
import { AtsJob } from './ats.ts';
import { endpoint } from './endpoint.ts';
import { InterviewPath, Moment, RowId } from './fields.ts';

/** Not in the specification, like everything in this file. */
export const PUSH_STATES = ['pending', 'sent', 'unclear', 'failed'] as const;
export type PushState = (typeof PUSH_STATES)[number];

/** The note about an interview in the applicant tracking system (ATS). */
export const AtsPush = z.object({
  /**
   * `unclear`: the ATS may have stored the note, but its reply was lost. The product looks for the
   * note before it writes again.
   */
  state: z.enum(PUSH_STATES),
  /** True when the ATS has a note that differs from the one that would be written now. */
  isChanged: z.boolean(),
  /** The page of the candidate or note in the ATS. */
  url: z.string().nullable(),
  /** Why the note is not stored, or why it waits. */
  error: z.string().nullable(),
  /** When the ATS stored the note, or its last update. */
  sentAt: Moment.nullable(),
});
export type AtsPush = z.infer<typeof AtsPush>;

const AtsCandidate = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  url: z.string().nullable(),
});

export const getAtsPush = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/ats',
  summary:
    'The candidates in the ATS with the e-mail address of an interview, its job, and the note as it would be written',
  role: 'recruiter',
  scope: 'process',
  params: InterviewPath,
  /** The note then contains the verdict, as in `sendToAts`. */
  query: z.object({ shareId: RowId.optional() }),
  response: z.object({
    /** At most 10. Empty without an e-mail address or a destination. */
    candidates: z.array(AtsCandidate),
    /** Null without a destination, and when the ATS has no such job. */
    job: AtsJob.nullable(),
    /** With the links at its end. */
    note: z.string(),
    push: AtsPush.nullable(),
  }),
});

export const sendToAts = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/ats',
  summary: 'Writes the note about an interview into the ATS, or updates it after a change',
  role: 'recruiter',
  scope: 'process',
  status: 202,
  params: InterviewPath,
  body: z.object({
    candidateId: z.string().trim().min(1, 'is required').max(100),
    /** A link of the interview whose recipient has decided. The note then contains the verdict. */
    shareId: z.int().positive('must be the id of a link').nullish(),
  }),
  response: AtsPush,
});
