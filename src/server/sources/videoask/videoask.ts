import { z } from 'zod';
import { InterviewId } from '#contracts/fields.ts';
import { baseUrl } from '#server/config/values.ts';
import { defineSource } from '#server/sources/define-source.ts';
import { EventId } from '#server/sources/event-id.ts';

const Event = z
  .object({ event_id: EventId, contact: z.object({ contact_id: InterviewId }) })
  .transform(({ event_id, contact }) => ({ interviewId: contact.contact_id, eventId: event_id, positionId: null }));

export const VIDEOASK = defineSource({
  name: 'videoask',
  variables: {
    VIDEOASK_URL: baseUrl
      .default('https://api.videoask.com')
      .describe('Base URL of VideoAsk, for funnels with that source. Change it only for testing.'),
    VIDEOASK_AUTH_URL: baseUrl
      .default('https://auth.videoask.com')
      .describe('Base URL at which VideoAsk issues access tokens. Change it only for testing.'),
    VIDEOASK_CLIENT_ID: z.string().trim().optional().describe('ID of the OAuth client that reads VideoAsk.'),
    VIDEOASK_CLIENT_SECRET: z.string().trim().optional().describe('Secret of that OAuth client.'),
    VIDEOASK_REFRESH_TOKEN: z
      .string()
      .trim()
      .optional()
      .describe('Permission to read VideoAsk. Funnels can have that source when all three are set.'),
  },
  urls: ['VIDEOASK_URL', 'VIDEOASK_AUTH_URL'],
  load: async (variables, { retry, proxy }) => {
    const { videoaskInterviewSource } = await import('./videoask-interview-source.ts');
    const { VIDEOASK_URL: baseUrl, VIDEOASK_AUTH_URL: authUrl } = variables;
    const credentials = {
      clientId: variables.VIDEOASK_CLIENT_ID ?? '',
      clientSecret: variables.VIDEOASK_CLIENT_SECRET ?? '',
      refreshToken: variables.VIDEOASK_REFRESH_TOKEN ?? '',
    };
    return videoaskInterviewSource({ baseUrl, authUrl, credentials, retry, proxy });
  },
  events: { read: (body) => Event.safeParse(body).data ?? null, isSignedWith: null },
});
