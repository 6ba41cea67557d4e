import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { plural } from '#server/events/log-texts.ts';

/** Contains the ids only, which an erasure replaces. */
export const exportEntry = ({ interviewIds }: EventData<'candidate.exported'>): NewLogEntry => ({
  action: 'export-candidate',
  summary: `The data of a candidate with ${plural(interviewIds.length, 'interview')} was exported.`,
  details: { interviews: interviewIds.map((interviewId) => ({ interviewId })) },
});

export const erasureEntry = ({ counts, isRepeated }: EventData<'candidate.erased'>): NewLogEntry => ({
  action: 'erase-candidate',
  summary: isRepeated
    ? 'Candidates who had been erased after the restored backup were erased again.'
    : 'A candidate was erased at their request.',
  details: counts,
});
