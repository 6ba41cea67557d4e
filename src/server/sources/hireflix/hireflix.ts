import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { InterviewId } from '#contracts/fields.ts';
import { baseUrl } from '#server/config/values.ts';
import type { IncomingEvent } from '#server/ports/source-events.ts';
import { defineSource } from '#server/sources/define-source.ts';

const Event = z
  .object({ data: z.object({ id: InterviewId, position: z.object({ id: z.string() }).nullish() }) })
  .transform(({ data }) => ({ interviewId: data.id, eventId: null, positionId: data.position?.id ?? null }));

export const HIREFLIX = defineSource({
  name: 'hireflix',
  variables: {
    HIREFLIX_URL: baseUrl
      .default('https://api.hireflix.com')
      .describe('Base URL of Hireflix, for funnels with that source. Change it only for testing.'),
  },
  urls: ['HIREFLIX_URL'],
  load: async ({ HIREFLIX_URL }, { retry, proxy, onChange }) => {
    const { hireflixInterviewSource } = await import('./hireflix-interview-source.ts');
    return hireflixInterviewSource({ baseUrl: HIREFLIX_URL, retry, proxy, onFewerFields: onChange });
  },
  events: { read: (body) => Event.safeParse(body).data ?? null, isSignedWith },
});

/** The header contains the base64 of the HMAC-SHA256 of the raw body. */
function isSignedWith({ body, headers }: IncomingEvent, secret: string): boolean {
  const signature = headers['x-hireflix-signature'];
  if (typeof signature !== 'string') return false;
  const right = createHmac('sha256', secret).update(body).digest();
  const sent = Buffer.from(signature, 'base64');
  return sent.length === right.length && timingSafeEqual(sent, right);
}
