import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

/** Contains the ids only, which an erasure replaces. */
export const exportEntry = ({ interviewIds }: EventData<'candidate.exported'>): NewLogEntry => ({
  type: 'system',
  action: 'export-candidate',
  status: 'success',
  summary: `The data of a candidate with ${interviewIds.length} ${interviewIds.length === 1 ? 'interview' : 'interviews'} was exported.`,
  details: { interviews: interviewIds.map((interviewId) => ({ interviewId })) },
});

export const erasureEntry = ({ counts, isRepeated }: EventData<'candidate.erased'>): NewLogEntry => ({
  type: 'system',
  action: 'erase-candidate',
  status: 'success',
  summary: isRepeated
    ? 'Candidates who had been erased after the restored backup were erased again.'
    : 'A candidate was erased at their request.',
  details: counts,
});
