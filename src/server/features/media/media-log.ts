import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

export const virusFoundEntry = ({ interviewId, kind, virus }: EventData<'virus.found'>): NewLogEntry => ({
  action: 'virus-found',
  status: 'error',
  summary: `Virus found in the ${kind} of interview ${interviewId} (${virus}). The file was deleted.`,
  metadata: { interviewId, kind, virus },
});
