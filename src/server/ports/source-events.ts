import type { IncomingHttpHeaders } from 'node:http';

/** A request to the webhook URL of a funnel. Nothing in it is trusted. */
export interface IncomingEvent {
  /** As it was sent, because signatures cover its bytes. */
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** The ids in an event. The rest is ignored, because the interview is read from the service. */
export interface SourceEvent {
  interviewId: string;
  /** The service's id of the event. Without one, equal bodies are the same event. */
  eventId: string | null;
  /** Null when the event names no position. */
  positionId: string | null;
}

/** The events with which a service announces changed interviews. */
export interface SourceEvents {
  /** `body` is parsed JSON. Null for a body that is not an event. */
  read(body: unknown): SourceEvent | null;
  /**
   * Whether the event was signed with this secret. Null if the service does not sign its events.
   */
  isSignedWith: ((event: IncomingEvent, secret: string) => boolean) | null;
}
