import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Redirect } from 'wouter';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Funnel } from '#contracts/funnels.ts';
import type { listInterviews } from '#contracts/interviews.ts';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { INTERVIEW_FILTERS, type InterviewFilters, PAGE_SIZE } from '#web/features/interviews/interview-filters.ts';
import { interviewsQuery } from '#web/features/interviews/interviews-query.ts';
import { cn } from '#web/lib/cn.ts';
import { withDialog } from '#web/lib/use-dialog.ts';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Pager } from '#web/ui/layout/pager.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { InterviewItems } from './interview-items.tsx';
import type { Layout } from './layout-toggle.tsx';
import { LoadingInterviews } from './loading-interviews.tsx';

const EmptyList = lazyPart(() => import('./no-interviews.tsx').then((m) => m.EmptyList));

interface Props {
  query: UseQueryResult<ResponseOf<typeof listInterviews> | null>;
  filters: InterviewFilters;
  funnels: readonly Funnel[] | null;
  layout: Layout;
  onOpen: OpenInterviewDialog;
  onPage: (page: number) => void;
  onClear: () => void;
  /** The actions for the selected interviews: next after the list in the order of the focus. */
  bulkBar: ReactNode;
}

export function InterviewList({ query, filters, funnels, layout, onOpen, onPage, onClear, bulkBar }: Props) {
  const queryClient = useQueryClient();
  const list = useLastList(query);
  // Ten cards take longer than a frame to render: defer them, so that input is handled first.
  const rendered = useDeferredValue(list);
  if (query.isError && !list)
    return (
      <>
        <Failure query={query} />
        {bulkBar}
      </>
    );
  if (query.isPending) return <LoadingInterviews layout={layout} />;
  if (!list) return bulkBar;

  const { interviews, total } = list;
  if (total === 0)
    return (
      <>
        <EmptyList filters={filters} onClear={onClear} />
        {bulkBar}
      </>
    );
  if (!rendered?.total) return <LoadingInterviews layout={layout} />;
  // The page no longer exists: show the last one.
  if (interviews.length === 0 && !query.isFetching) {
    // A review adds a filter, which is not part of the URL.
    const inUrl = INTERVIEW_FILTERS.read(new URLSearchParams(location.search));
    const lastPage = { ...inUrl, page: Math.ceil(total / PAGE_SIZE) };
    return <Redirect to={`/?${withDialog(INTERVIEW_FILTERS.write(lastPage))}`} replace />;
  }

  const prefetchNext = () => {
    if (filters.page * PAGE_SIZE < total) {
      queryClient.prefetchQuery(interviewsQuery({ ...filters, page: filters.page + 1 }));
    }
  };
  const isOther = query.isPlaceholderData || list !== query.data;
  return (
    <>
      {query.isError && <Failure query={query} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only prefetches, for the pager and for Archive */}
      <div onPointerEnter={prefetchNext} onFocus={prefetchNext}>
        <div aria-busy={isOther} className={cn('transition-opacity duration-150', isOther && 'opacity-60')}>
          <InterviewItems interviews={rendered.interviews} funnels={funnels} layout={layout} onOpen={onOpen} />
        </div>
        {bulkBar}
        <div className="mt-6">
          <Pager {...{ page: filters.page, pageSize: PAGE_SIZE, total, onPage }} compact={layout === 'compact'} />
        </div>
      </div>
    </>
  );
}

/** The list that was shown last stays while the requested page cannot be read. */
function useLastList({ data, isError }: Props['query']): Props['query']['data'] {
  const [last, setLast] = useState(data);
  if (data !== last && !isError) setLast(data);
  return data ?? (isError ? last : data);
}

const Failure = ({ query }: Pick<Props, 'query'>) => (
  <LoadError title={`Error loading interviews: ${query.error?.message}`} query={query} className="mb-5">
    {null}
  </LoadError>
);
