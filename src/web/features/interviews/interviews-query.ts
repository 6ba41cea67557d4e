import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Interview, ProcessingStatus } from '#contracts/interviews.ts';
import { call } from '#web/lib/call.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { type InterviewFilters, interviewListInput } from './interview-filters.ts';

/**
 * A page of interviews, keyed by all filters. The previous page stays visible while this one loads.
 */
export const interviewsQuery = (filters: InterviewFilters) => {
  const input = interviewListInput(filters);
  return queryOptions({
    queryKey: ['/api/interviews', input],
    queryFn: async ({ signal }) => {
      const answer = await call('GET /api/interviews', input, { signal });
      // Our own fields may be missing.
      const failures = answer?.failures ?? { steps: 0, interviews: 0 };
      return answer && { ...answer, failures, interviews: answer.interviews.map(withProcessingStatus) };
    },
    placeholderData: keepPreviousData,
    retry: 3,
    retryDelay: 1_000,
  });
};

export const interviewQuery = (id: string) => ({
  ...endpointQuery('/api/interviews/:id', { params: { id }, query: { texts: 'false' } }),
  staleTime: 0,
  retry: false,
  select: (interview: Interview | null) => interview && withProcessingStatus(interview),
});

/** Section 3 of the specification: the processing status can arrive as JSON text. */
function withProcessingStatus(interview: Interview): Interview {
  const raw: unknown = interview.processingStatus;
  return typeof raw === 'string' ? { ...interview, processingStatus: parseStatus(raw) } : interview;
}

function parseStatus(text: string): ProcessingStatus {
  try {
    const status: Partial<ProcessingStatus> | null = JSON.parse(text);
    return { ...status, questions: status?.questions ?? [] };
  } catch {
    return { questions: [] };
  }
}

/** The initial values of a new destination. Dialogs work without them and ignore a failure. */
export const destinationDefaultsQuery = (funnelId: number) => ({
  ...endpointQuery('/api/funnels/:id/destination-defaults', { params: { id: funnelId } }),
  staleTime: 0,
  retry: false,
});
