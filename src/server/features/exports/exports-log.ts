import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';

export const exportInterviewsEntry = ({ count, isComplete }: EventData<'interviews.exported'>): NewLogEntry => ({
  action: 'export-interviews',
  status: isComplete ? 'success' : 'warning',
  summary: `Exported ${count.toLocaleString('en-US')} ${count === 1 ? 'interview' : 'interviews'} as CSV${isComplete ? '.' : '; the download was interrupted.'}`,
  details: { count, isComplete },
});

export function printInterviewsEntry({ interviews }: EventData<'interviews.printed'>): NewLogEntry {
  const [first] = interviews;
  const isOne = first !== undefined && interviews.length === 1;
  return {
    action: 'print-interviews',
    summary: isOne
      ? `Printed "${shortTitle(first.title)}".`
      : `Printed a comparison of ${interviews.length} interviews.`,
    details: { count: interviews.length, interviews: interviews.map(({ interviewId }) => ({ interviewId })) },
    ...(isOne && { metadata: { interviewId: first.interviewId } }),
  };
}
