import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

export const exportInterviewsEntry = ({ count, isComplete }: EventData<'interviews.exported'>): NewLogEntry => ({
  type: 'system',
  action: 'export-interviews',
  status: isComplete ? 'success' : 'warning',
  summary: `Exported ${count.toLocaleString('en-US')} ${count === 1 ? 'interview' : 'interviews'} as CSV${isComplete ? '.' : '; the download was interrupted.'}`,
  details: { count, isComplete },
});
