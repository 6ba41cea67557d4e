import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Interview, ProcessingStatus } from '#contracts/interviews.ts';
import { type InterviewFilters, listInput } from '#web/features/interviews/interview-filters.ts';
import { listInterviews } from '#web/lib/api.ts';
import { call } from '#web/lib/call.ts';

/** A page of interviews, keyed by all of its filters. The page before stays in view until this one has arrived. */
export const interviewsQuery = (filters: InterviewFilters) => {
  const input = listInput(filters);
  return queryOptions({
    queryKey: [listInterviews.path, input],
    queryFn: async ({ signal }) => {
      const answer = await call(listInterviews, input, { signal });
      return answer && { ...answer, interviews: answer.interviews.map(withProcessingStatus) };
    },
    placeholderData: keepPreviousData,
    retry: 3,
    retryDelay: 1_000,
  });
};

/** Section 3 of the specification: the processing status may travel as JSON text. */
function withProcessingStatus(interview: Interview): Interview {
  const raw: unknown = interview.processingStatus;
  return typeof raw === 'string' ? { ...interview, processingStatus: parsed(raw) } : interview;
}

function parsed(text: string): ProcessingStatus {
  try {
    const status: Partial<ProcessingStatus> | null = JSON.parse(text);
    return { ...status, questions: status?.questions ?? [] };
  } catch {
    return { questions: [] };
  }
}
