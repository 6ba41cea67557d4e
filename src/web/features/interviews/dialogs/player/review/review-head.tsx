import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { playerSettings } from '#web/features/interviews/dialogs/player/player-settings.ts';
import { filterQuery, type InterviewFilters, sortQuery } from '#web/features/interviews/interview-filters.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatNumber } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import type { ReviewQueue } from './use-review-queue.ts';

interface Props {
  queue: ReviewQueue;
  filters: InterviewFilters;
  /** The review plays one answer of each interview. */
  isByAnswer: boolean;
  className: string;
}

/** Shows the place of the interview in the list, and how long the rest takes to watch. */
export function ReviewHead({ queue, filters, isByAnswer, className }: Props) {
  const { offset, total } = queue;
  return (
    <div className={cn('flex min-w-0 items-center gap-x-3 max-sm:justify-between max-sm:gap-x-1', className)}>
      <div className="flex items-center gap-0.5">
        <StepButton label="Previous interview (P)" isPossible={queue.hasPrevious} onClick={queue.showPrevious}>
          <ChevronLeft aria-hidden />
        </StepButton>
        {offset !== null && (
          <output className="px-1 text-sm whitespace-nowrap tabular-nums">
            {formatNumber(Math.min(offset + 1, total))} of {formatNumber(total)}
          </output>
        )}
        <StepButton label="Next interview" isPossible={queue.hasNext} onClick={queue.showNext}>
          <ChevronRight aria-hidden />
        </StepButton>
      </div>
      {offset !== null && !isByAnswer && <TimeLeft filters={filters} skip={offset} />}
    </div>
  );
}

interface StepButtonProps {
  label: string;
  isPossible: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** `aria-disabled`, because `disabled` would lose the focus at either end of the list. */
const StepButton = ({ label, isPossible, onClick, children }: StepButtonProps) => (
  <Button
    variant="ghost"
    size="icon"
    aria-label={label}
    title={label}
    aria-disabled={!isPossible}
    onClick={() => isPossible && onClick()}
  >
    {children}
  </Button>
);

/** How long it takes to watch this interview and those after it at the chosen speed. */
function TimeLeft({ filters, skip }: { filters: InterviewFilters; skip: number }) {
  const { speed } = playerSettings.use();
  const { data } = useQuery({
    ...endpointQuery('/api/review', { query: { ...filterQuery(filters), ...sortQuery(filters), skip } }),
    placeholderData: keepPreviousData,
  });
  if (!data?.seconds) return null;
  return (
    <span className="min-w-0 text-sm text-muted max-sm:text-xs max-sm:leading-4 max-[21rem]:sr-only">
      {approximately(data.seconds / Number(speed))} left
    </span>
  );
}

function approximately(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
