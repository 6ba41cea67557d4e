import { useQuery } from '@tanstack/react-query';
import { ArrowUp, FileVideo, SearchX } from 'lucide-react';
import { Link } from 'wouter';
import { REFRESH_BUTTON_ID } from '#web/features/refresh/refresh-button.tsx';
import { activeFunnel } from '#web/lib/api.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

function goToRefresh() {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top: 0, behavior: still ? 'auto' : 'smooth' });
  document.getElementById(REFRESH_BUTTON_ID)?.focus({ preventScroll: true });
}

/** Nothing has been synced yet. */
export function NoInterviews() {
  const funnel = useQuery(endpointQuery(activeFunnel));
  return (
    <EmptyState
      icon={<FileVideo />}
      title="No interviews found"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={goToRefresh}>
            <ArrowUp aria-hidden />
            Go to Refresh
          </Button>
          {funnel.data === null && (
            <Button variant="ghost" asChild>
              <Link href="/funnels">Go to Funnels</Link>
            </Button>
          )}
        </div>
      }
    >
      Click the Refresh button to sync interviews from your account.
    </EmptyState>
  );
}

/** There may be interviews, but none that match. */
export const NoMatches = ({ onClear }: { onClear: () => void }) => (
  <EmptyState icon={<SearchX />} title="No interviews found" action={<Button onClick={onClear}>Clear filters</Button>}>
    Nothing matches your search and filters.
  </EmptyState>
);
