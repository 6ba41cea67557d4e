import { z } from 'zod';
import { InterviewId } from '#contracts/fields.ts';
import { baseUrl } from '#server/config/values.ts';
import { defineSource } from '#server/sources/define-source.ts';
import { EventId } from '#server/sources/event-id.ts';

/** docs/OPERATING.md describes it. */
const Event = z
  .object({ id: EventId, interviewId: InterviewId })
  .transform(({ id, interviewId }) => ({ interviewId, eventId: id, positionId: null }));

/** A service with our REST contract. */
export const REST = defineSource({
  name: 'rest',
  variables: {
    INTERVIEW_SERVICE_URL: baseUrl.optional().describe('Base URL of the external interview service.'),
  },
  urls: ['INTERVIEW_SERVICE_URL'],
  load: async ({ INTERVIEW_SERVICE_URL = '' }, { retry, proxy }) => {
    const { restInterviewSource } = await import('./rest-interview-source.ts');
    return restInterviewSource({ baseUrl: INTERVIEW_SERVICE_URL, retry, proxy });
  },
  events: { read: (body) => Event.safeParse(body).data ?? null, isSignedWith: null },
});
