import { useQueries } from '@tanstack/react-query';
import { Columns3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { MAX_COMPARED } from '#contracts/exports.ts';
import type { Interview } from '#contracts/interviews.ts';
import { interviewQuery } from '#web/features/interviews/interviews-query.ts';
import { dashboardUrl } from '#web/lib/dashboard-place.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { comparedIds } from './compared-ids.ts';
import { Comparison } from './comparison.tsx';

/** `/compare?ids=a,b,c`: interviews of one funnel next to each other. */
export function ComparePage() {
  useTitle('Compare');
  const ids = comparedIds(useSearch());
  if (ids.length < 2)
    return (
      <Problem title="Choose interviews to compare">
        Select two to four interviews of one job in the list, then choose Compare.
      </Problem>
    );
  if (ids.length > MAX_COMPARED)
    return (
      <Problem title={`${ids.length} interviews are too many`}>
        At most {MAX_COMPARED} interviews can be compared. Select fewer in the list.
      </Problem>
    );
  return <Loaded key={ids.join('\n')} ids={ids} />;
}

function Loaded({ ids }: { ids: string[] }) {
  const queries = useQueries({ queries: ids.map(interviewQuery) });
  // A failed reload leaves the page as it is.
  const failed = queries.findIndex(({ isLoadingError }) => isLoadingError);
  const error = queries[failed]?.error;
  if (error) return <Problem title="Couldn't compare the interviews">{messageOf(error, ids[failed] ?? '')}</Problem>;
  const interviews = queries.map(({ data }) => data).filter((data): data is Interview => data != null);
  if (interviews.length < ids.length) return <Loading isPage>Loading the interviews...</Loading>;
  if (new Set(interviews.map(({ funnelIdNum }) => funnelIdNum)).size > 1)
    return (
      <Problem title="These interviews belong to different jobs">
        Only interviews of one job have the same criteria. Filter the list by a job, then select.
      </Problem>
    );
  return <Comparison interviews={interviews} />;
}

const messageOf = (error: Error & { code?: string | undefined }, id: string) =>
  error.code === 'not_found' ? `No interview with the id ${id} exists, or you can't see it.` : error.message;

const Problem = ({ title, children }: { title: string; children: ReactNode }) => (
  <EmptyState
    icon={<Columns3 />}
    title={title}
    action={
      <Button asChild>
        <Link href={dashboardUrl()}>Back to the list</Link>
      </Button>
    }
  >
    {children}
  </EmptyState>
);
