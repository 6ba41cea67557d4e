import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Redirect } from 'wouter';
import type { Answer } from '#contracts/endpoint.ts';
import type { Funnel } from '#contracts/funnels.ts';
import type { Open } from '#web/features/interviews/dialogs/open-dialog.ts';
import {
  hasFilters,
  type InterviewFilters,
  PAGE_SIZE,
  writeFilters,
} from '#web/features/interviews/interview-filters.ts';
import { interviewsQuery } from '#web/features/interviews/interviews-query.ts';
import type { Layout } from '#web/features/interviews/layout.ts';
import { InterviewItems } from '#web/features/interviews/list/interview-items.tsx';
import { LoadingInterviews } from '#web/features/interviews/list/loading-interviews.tsx';
import { NoInterviews, NoMatches } from '#web/features/interviews/list/no-interviews.tsx';
import type { listInterviews } from '#web/lib/api.ts';
import { cn } from '#web/lib/cn.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Pager } from '#web/ui/pager.tsx';

interface Props {
  query: UseQueryResult<Answer<typeof listInterviews> | null>;
  filters: InterviewFilters;
  funnels: readonly Funnel[] | null;
  layout: Layout;
  onOpen: Open;
  onPage: (page: number) => void;
  onClear: () => void;
}

export function InterviewList({ query, filters, funnels, layout, onOpen, onPage, onClear }: Props) {
  const client = useQueryClient();
  // Ten cards take longer to draw than a frame may: they are drawn between keystrokes, clicks and frames.
  const drawn = useDeferredValue(query.data);
  if (query.isError && !query.data) return <Failure query={query} />;
  if (query.isPending || drawn === undefined) return <LoadingInterviews layout={layout} />;
  if (!query.data) return null;

  const { interviews, total } = query.data;
  if (total === 0) return hasFilters(filters) ? <NoMatches onClear={onClear} /> : <NoInterviews />;
  // The page went with the interviews that were on it, or a link is older than the list.
  if (interviews.length === 0 && !query.isFetching) {
    return <Redirect to={`/?${writeFilters({ ...filters, page: Math.ceil(total / PAGE_SIZE) })}`} replace />;
  }

  const prefetchNext = () => {
    if (filters.page * PAGE_SIZE < total) {
      client.prefetchQuery(interviewsQuery({ ...filters, page: filters.page + 1 }));
    }
  };
  return (
    <>
      {query.isError && <Failure query={query} />}
      <div
        aria-busy={query.isPlaceholderData}
        className={cn('transition-opacity duration-150', query.isPlaceholderData && 'opacity-60')}
      >
        <InterviewItems
          interviews={drawn?.interviews ?? interviews}
          funnels={funnels}
          layout={layout}
          onOpen={onOpen}
        />
      </div>
      {/* The pager inside is what takes part; the box only sees it coming. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div className="mt-6" onPointerEnter={prefetchNext} onFocus={prefetchNext}>
        <Pager page={filters.page} pageSize={PAGE_SIZE} total={total} compact={layout === 'compact'} onPage={onPage} />
      </div>
    </>
  );
}

const Failure = ({ query }: Pick<Props, 'query'>) => (
  <Alert
    tone="danger"
    title={`Error loading interviews: ${query.error?.message}`}
    className="mb-5"
    actions={
      <Button size="sm" pending={query.isFetching} onClick={() => query.refetch()}>
        Retry
      </Button>
    }
  />
);
