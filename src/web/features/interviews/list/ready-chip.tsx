import { useQuery } from '@tanstack/react-query';
import { type InterviewFilters, interviewListInput } from '#web/features/interviews/interview-filters.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';

interface Props {
  filters: InterviewFilters;
  /** False until the list has arrived: the count is requested after it. */
  canCount: boolean;
  onChange: (ready: boolean) => void;
}

/**
 * Filters by interviews that are ready to send, and shows how many of them the other filters find.
 */
export function ReadyChip({ filters, canCount, onChange }: Props) {
  const total = useReadyTotal(filters, canCount);
  return (
    <Button
      aria-pressed={filters.ready}
      data-command="Filter: Ready to send"
      aria-label={total === null ? 'Ready to send' : `Ready to send: ${formatCount(total, 'interview')}`}
      title="All steps done, no destination"
      onClick={() => onChange(!filters.ready)}
      className={cn(
        'min-w-0 gap-1 px-2.5',
        filters.ready && 'border-accent bg-accent-soft text-accent-ink hover:bg-accent-soft',
      )}
    >
      Ready to send
      {/* A reserved width, so that nothing moves when the number arrives. */}
      <span className="min-w-5 text-right text-muted tabular-nums">{total !== null && formatNumber(total)}</span>
    </Button>
  );
}

/**
 * Null until it is known. During a search it stays null, because the server would have to search
 * twice.
 */
function useReadyTotal(filters: InterviewFilters, canCount: boolean): number | null {
  const { query } = interviewListInput({ ...filters, ready: true, page: 1 });
  const { data } = useQuery({
    ...endpointQuery('/api/interviews', { query: { ...query, limit: 1 } }),
    enabled: canCount && query.search === undefined,
  });
  return query.search === undefined ? (data?.total ?? null) : null;
}
