import { z } from 'zod';
import { AtsJob } from './ats.ts';
import { endpoint } from './endpoint.ts';
import { InterviewPath, Moment, RowId } from './fields.ts';

/**
 * The note about an interview in the applicant tracking system (ATS). Not in the specification,
 * like everything in this file.
 */
export const AtsPush = z.object({
  /**
   * `unclear`: the ATS may have stored the note, but the response was lost. The product searches
   * for the note before it writes again.
   */
  state: z.enum(['pending', 'sent', 'unclear', 'failed']),
  /** True if the note in the ATS differs from the one that would be written now. */
  isChanged: z.boolean(),
  /** The page of the candidate or note in the ATS. */
  url: z.string().nullable(),
  /** Why the note failed or is waiting. */
  error: z.string().nullable(),
  /** When the ATS last stored the note. */
  sentAt: Moment.nullable(),
});
export type AtsPush = z.infer<typeof AtsPush>;
export type PushState = AtsPush['state'];

const AtsCandidate = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  url: z.string().nullable(),
});

export const getAtsPush = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/ats',
  summary: "The candidates in the ATS with the interview's e-mail address, its job, and a preview of the note",
  role: 'recruiter',
  scope: 'process',
  params: InterviewPath,
  /** Adds the verdict to the note, as in `sendToAts`. */
  query: z.object({ shareId: RowId.optional() }),
  response: z.object({
    /** At most 10. Empty without an e-mail address. */
    candidates: z.array(AtsCandidate),
    /** Null without a destination, or if the ATS has no such job. */
    job: AtsJob.nullable(),
    /** Ends with the links. */
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
    candidateId: z
      .string()
      .trim()
      .min(1, 'is required')
      .max(100)
      .overwrite((text) => text.toWellFormed()),
    /** A link whose recipient has decided on the interview. Adds the verdict to the note. */
    shareId: z.int().positive('must be the id of a link').nullish(),
  }),
  response: AtsPush,
});
