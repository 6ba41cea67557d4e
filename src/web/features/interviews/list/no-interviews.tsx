import { useQuery } from '@tanstack/react-query';
import { Archive, ArrowUp, FileVideo, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { SOURCES } from '#contracts/sources.ts';
import { hasInterviewFilters, type InterviewFilters, NO_FILTERS } from '#web/features/interviews/interview-filters.ts';
import { interviewsQuery } from '#web/features/interviews/interviews-query.ts';
import { REFRESH_BUTTON_ID } from '#web/features/refresh/refresh-button.tsx';
import { useRefreshStatus } from '#web/features/refresh/refresh-status.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useMay } from '#web/lib/may.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';

const FirstRun = lazyPart(() => import('#web/features/setup/first-run.tsx').then((m) => m.FirstRun));

function goToRefresh() {
  const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top: 0, behavior: reducesMotion ? 'auto' : 'smooth' });
  document.getElementById(REFRESH_BUTTON_ID)?.focus({ preventScroll: true });
}

interface Props {
  filters: InterviewFilters;
  onClear: () => void;
}

/** Explains why the list is empty. */
export function EmptyList({ filters, onClear }: Props) {
  if (hasInterviewFilters(filters)) return <NoMatches filters={filters} onClear={onClear} />;
  return filters.archived ? <NoArchived /> : <NoInterviews />;
}

function NoInterviews() {
  const archived = useQuery(interviewsQuery({ ...NO_FILTERS, archived: true })).data?.total ?? 0;
  const funnel = useQuery(endpointQuery('/api/funnels/active'));
  const [isAsked, setIsAsked] = useState(false);
  const may = useMay();
  const funnels = useQuery(endpointQuery('/api/funnels'));
  if (useRefreshStatus()?.inProgress) return <NothingFound>Interviews appear here as they arrive.</NothingFound>;
  if (funnels.data?.length === 0 && !may('POST /api/funnels'))
    return (
      <NothingFound>You don't see any funnels yet. Ask an administrator to add them to your account.</NothingFound>
    );
  if (archived > 0) return <AllArchived count={archived} />;
  if (!may('GET /api/interviews/sync')) return <NothingFound>New interviews appear here as they arrive.</NothingFound>;
  if (funnel.data && !SOURCES[funnel.data.source].isRefreshed)
    return <NothingFound>Click Upload recordings to add the first ones.</NothingFound>;
  const hasNoFunnel = funnel.data === null;
  return (
    <>
      <FirstRun />
      <EmptyState
        icon={<FileVideo />}
        title="No interviews found"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button
              onClick={() => {
                goToRefresh();
                setIsAsked(true);
              }}
            >
              <ArrowUp aria-hidden />
              Go to Refresh
            </Button>
            {/* The disabled button at the top shows its reason to a mouse only. */}
            <p role="status" className="basis-full text-sm text-warning-ink empty:hidden">
              {isAsked && hasNoFunnel && 'Add a funnel and set it active first.'}
            </p>
          </div>
        }
      >
        Click the Refresh button to sync interviews from your account.
      </EmptyState>
    </>
  );
}

const NothingFound = ({ children }: { children: string }) => (
  <EmptyState icon={<FileVideo />} title="No interviews found">
    {children}
  </EmptyState>
);

const AllArchived = ({ count }: { count: number }) => (
  <EmptyState
    icon={<Archive />}
    title={count === 1 ? 'The only interview is archived' : `All ${formatNumber(count)} interviews are archived`}
    action={
      <Button asChild>
        <Link href="/?archived=1">Show archived</Link>
      </Button>
    }
  >
    New interviews appear here after a refresh.
  </EmptyState>
);

const NoMatches = ({ filters, onClear }: Props) => (
  <EmptyState icon={<SearchX />} title="No interviews found" action={<Button onClick={onClear}>Clear filters</Button>}>
    <span className="break-words">{describeMismatch(filters)}</span>
  </EmptyState>
);

function describeMismatch(filters: InterviewFilters): string {
  const search = filters.search.trim();
  if (search === '') return 'No interviews match these filters.';
  const isSearchOnly = !hasInterviewFilters({ ...filters, search: '' });
  return `No interviews match “${search}”${isSearchOnly ? '' : ' and these filters'}.`;
}

function NoArchived() {
  const mayArchive = useMay()('POST /api/interviews/:id/archive');
  return (
    <EmptyState
      icon={<Archive />}
      title="No archived interviews"
      action={
        <Button asChild>
          <Link href="/">Show all interviews</Link>
        </Button>
      }
    >
      {mayArchive
        ? 'Interviews that you archive are kept here. You can restore them from their menu.'
        : 'Archived interviews are kept here.'}
    </EmptyState>
  );
}
