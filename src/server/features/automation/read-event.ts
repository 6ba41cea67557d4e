import { z } from 'zod';
import { InterviewId } from '#contracts/fields.ts';
import type { FunnelSource } from '#contracts/sources.ts';
import { AppError } from '#server/app-error.ts';

/** The ids in an event. The rest is ignored, because the interview is read from the service. */
export interface WebhookEvent {
  interviewId: string;
  /** The service's id of the event. Without one, equal bodies are the same event. */
  eventId: string | null;
  /** Null when the event names no position. */
  positionId: string | null;
}

const EventId = z.union([z.string().min(1).max(200), z.number()]).transform(String);

/** docs/OPERATING.md describes the events of `rest`. The vendors define the others. */
const READERS: Partial<Record<FunnelSource, z.ZodType<WebhookEvent>>> = {
  rest: z
    .object({ id: EventId, interviewId: InterviewId })
    .transform(({ id, interviewId }) => ({ interviewId, eventId: id, positionId: null })),
  hireflix: z
    .object({ data: z.object({ id: InterviewId, position: z.object({ id: z.string() }).nullish() }) })
    .transform(({ data }) => ({ interviewId: data.id, eventId: null, positionId: data.position?.id ?? null })),
  videoask: z
    .object({ event_id: EventId, contact: z.object({ contact_id: InterviewId }) })
    .transform(({ event_id, contact }) => ({ interviewId: contact.contact_id, eventId: event_id, positionId: null })),
};

/** True when the service signs the bodies of its events. */
export const isSigned = (source: FunnelSource): boolean => source === 'hireflix';

export const hasWebhooks = (source: FunnelSource): boolean => READERS[source] !== undefined;

/** @throws AppError invalid_input */
export function readEvent(source: FunnelSource, body: Buffer): WebhookEvent {
  const event = READERS[source]?.safeParse(parseBody(body)).data;
  if (event) return event;
  throw new AppError('invalid_input', 'body must be an event that names an interview', { field: 'body' });
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
