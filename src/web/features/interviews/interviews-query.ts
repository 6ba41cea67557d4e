import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '#contracts/endpoint.ts';
import type { Interview, listInterviews, ProcessingStatus } from '#contracts/interviews.ts';
import { refreshStatusQuery } from '#web/features/refresh/refresh-status.ts';
import { call } from '#web/lib/call.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { type InterviewFilters, interviewListInput, PAGE_SIZE } from './interview-filters.ts';

/**
 * A page of interviews, keyed by all filters. The previous page stays visible while this one loads.
 */
export const interviewsQuery = (filters: InterviewFilters) => {
  const input = interviewListInput(filters);
  const queryKey = ['/api/interviews', input] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client: queryClient }) => {
      const answer = await call('GET /api/interviews', input, { signal });
      // Our own fields may be missing.
      const failures = answer?.failures ?? { steps: 0, interviews: 0 };
      if (!answer) return null;
      const interviews = answer.interviews.map(withProcessingStatus);
      const shown = queryClient.getQueryData<Answer<typeof listInterviews> | null>(queryKey)?.interviews;
      const isRefreshing = queryClient.getQueryData(refreshStatusQuery.queryKey)?.inProgress;
      return { ...answer, failures, interviews: shown && isRefreshing ? keepPlaces(shown, interviews) : interviews };
    },
    placeholderData: keepPreviousData,
    retry: 3,
    retryDelay: 1_000,
  });
};

/**
 * Puts interviews that arrive during a refresh after those on the page, which stay where they are
 * until the refresh ends.
 */
function keepPlaces(shown: readonly Interview[], listed: readonly Interview[]): Interview[] {
  const isFull = listed.length === PAGE_SIZE;
  const last = listed.at(-1)?.recordedDate ?? '';
  const kept = shown.flatMap((interview) => {
    // Arriving interviews have moved an older one to the next page. A newer one is no longer listed.
    const isOnNextPage = isFull && interview.recordedDate <= last;
    return listed.find(({ id }) => id === interview.id) ?? (isOnNextPage ? interview : []);
  });
  const arrived = listed.filter(({ id }) => !kept.some((interview) => interview.id === id));
  return [...kept, ...arrived].slice(0, PAGE_SIZE);
}

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
