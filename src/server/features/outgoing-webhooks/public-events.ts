import type { EventData } from '#contracts/events.ts';
import type { PublicEventData, PublicEventName } from '#contracts/public-events.ts';

/**
 * One public event for each item. Only webhooks with personal data receive `personal`, to which
 * title and candidate are added from the interview.
 */
export interface PublicEvent {
  type: PublicEventName;
  items: readonly { data: object; personal?: object }[];
}

/**
 * Fields outside `data`: personal ones, and ones added from the interview or when the body is
 * rendered.
 */
type Added = 'link' | 'funnelId' | 'title' | 'candidate' | 'error' | 'recipient';

const publicEvent = <Name extends PublicEventName>(
  type: Name,
  items: readonly {
    data: Omit<PublicEventData<Name>, Added> & { funnelId?: number };
    personal?: { error?: string; recipient?: string };
  }[],
): PublicEvent => ({ type, items });

interface OfInterview {
  interviewId: string;
  funnelId: number;
}
const idsOf = ({ interviewId, funnelId }: OfInterview) => ({ interviewId, funnelId });

export const addedEvent = ({ funnelId, interviewIds }: EventData<'interview.added'>): PublicEvent =>
  publicEvent(
    'interview.added',
    interviewIds.map((interviewId) => ({ data: { interviewId, funnelId } })),
  );

export const archivedEvent = (interview: EventData<'interview.archived'>): PublicEvent =>
  publicEvent('interview.archived', [{ data: idsOf(interview) }]);

export const editedEvent = ({ text, ...interview }: EventData<'interview.edited'>): PublicEvent =>
  publicEvent('interview.edited', [{ data: { ...idsOf(interview), text } }]);

export const sentEvent = ({ destinationId, ...interview }: EventData<'interview.linked'>): PublicEvent =>
  publicEvent('interview.sent', [{ data: { ...idsOf(interview), destinationId } }]);

export function bulkEvent({ action, destinationId, interviews }: EventData<'bulk-run.applied'>): PublicEvent | null {
  const ids = interviews.map((interview) => ({ data: idsOf(interview) }));
  if (action === 'archive') return publicEvent('interview.archived', ids);
  if (action !== 'setDestination' || destinationId === null) return null;
  return publicEvent(
    'interview.sent',
    ids.map(({ data }) => ({ data: { ...data, destinationId } })),
  );
}

export function stepEvent({ step, error, ...interview }: EventData<'step.ended'>): PublicEvent {
  const data = { ...idsOf(interview), step };
  if (error === null) return publicEvent('step.completed', [{ data }]);
  return publicEvent('step.failed', [{ data, personal: { error } }]);
}

export function refreshEvent({ status, error, ...run }: EventData<'run.ended'>): PublicEvent {
  const { funnelId, runId, cause, isCanceled } = run;
  const data = { funnelId, runId, cause };
  if (status === 'failed' || isCanceled)
    return publicEvent('refresh.failed', [
      { data: { ...data, isCanceled }, ...(error !== null && { personal: { error } }) },
    ]);
  const { processed, new: added, updated, skipped } = run.counts;
  return publicEvent('refresh.completed', [{ data: { ...data, counts: { processed, new: added, updated, skipped } } }]);
}

export const reviewEvent = ({ isFirst, ...interview }: EventData<'review.submitted'>): PublicEvent =>
  publicEvent('review.submitted', [{ data: { ...idsOf(interview), isFirst } }]);

export const openedEvent = ({ shareId, recipient, isFirst }: EventData<'share.opened'>): PublicEvent =>
  publicEvent('share.opened', [{ data: { shareId, isFirst }, personal: { recipient } }]);

export const decidedEvent = (decided: EventData<'share.decided'>): PublicEvent => {
  const { interviewId, shareId, recipient, verdict } = decided;
  return publicEvent('share.decided', [{ data: { interviewId, shareId, verdict }, personal: { recipient } }]);
};

export const atsSentEvent = ({ ats, isUpdate, ...interview }: EventData<'ats.sent'>): PublicEvent =>
  publicEvent('ats.sent', [{ data: { ...idsOf(interview), ats, isUpdate } }]);

export const atsFailedEvent = ({ ats, isUnclear, reason, ...interview }: EventData<'ats.failed'>): PublicEvent =>
  publicEvent('ats.failed', [{ data: { ...idsOf(interview), ats, isUnclear }, personal: { error: reason } }]);
