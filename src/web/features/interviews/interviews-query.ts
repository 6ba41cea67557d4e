import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Interview, listInterviews, ProcessingStatus } from '#contracts/interviews.ts';
import { refreshStatusQuery } from '#web/features/refresh/refresh-status.ts';
import { pendingIds } from '#web/lib/after-responses.ts';
import { call } from '#web/lib/call.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { type InterviewFilters, interviewListInput } from './interview-filters.ts';

/**
 * A page of interviews, keyed by all filters. The previous page stays visible while this one loads.
 */
export const interviewsQuery = (filters: InterviewFilters) => {
  const input = interviewListInput(filters);
  const queryKey = ['/api/interviews', input] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client: queryClient }) => {
      const response = await call('GET /api/interviews', input, { signal });
      // Our own fields may be missing.
      const failures = response?.failures ?? { interviews: 0, permanent: 0 };
      if (!response) return null;
      // A response from before the call still lists these interviews.
      const leaving = pendingIds(queryClient, `POST /api/interviews/:id/${filters.archived ? 'unarchive' : 'archive'}`);
      const interviews = response.interviews.filter(({ id }) => !leaving.has(id)).map(withProcessingStatus);
      const shown = queryClient.getQueryData<ResponseOf<typeof listInterviews> | null>(queryKey)?.interviews;
      const isRefreshing = queryClient.getQueryData(refreshStatusQuery.queryKey)?.inProgress;
      return {
        ...response,
        failures,
        interviews: shown && isRefreshing ? keepPlaces(shown, interviews) : interviews,
        total: response.total - (response.interviews.length - interviews.length),
      };
    },
    placeholderData: keepPreviousData,
    retry: 3,
    retryDelay: 1_000,
  });
};

/**
 * During a refresh, interviews on the page stay where they are. Those that arrive take the places
 * of the ones that have left the page, or follow.
 */
function keepPlaces(shown: readonly Interview[], listed: readonly Interview[]): Interview[] {
  const shownIds = new Set(shown.map(({ id }) => id));
  const arrived = listed.filter(({ id }) => !shownIds.has(id));
  const placed = shown.flatMap(({ id }) => listed.find((interview) => interview.id === id) ?? arrived.shift() ?? []);
  return [...placed, ...arrived];
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
