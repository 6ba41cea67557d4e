import { CircleAlert } from 'lucide-react';
import type { Failures } from '#contracts/interviews.ts';
import { type InterviewFilters, NO_FILTERS } from '#web/features/interviews/interview-filters.ts';
import { filterTarget, useStartBulk } from '#web/features/interviews/selection/use-start-bulk.tsx';
import { formatCount } from '#web/lib/format.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';

interface Props {
  failures: Failures;
  filters: InterviewFilters;
  onShow: (filters: InterviewFilters) => void;
}

const FAILED: InterviewFilters = { ...NO_FILTERS, status: 'error' };

/**
 * The number of interviews with failed steps that may succeed, regardless of the filters, with Show
 * and Retry. A retry skips the others and reports them.
 */
export function FailedSteps({ failures, filters, onShow }: Props) {
  const { start, isPending, question } = useStartBulk();
  const mayRetry = useMay()('POST /api/bulk');
  const [count, noun] = formatCount(failures.interviews, 'interview').split(' ');
  return (
    <section
      aria-label="Failed steps"
      className="bordered flex h-6 w-fit max-w-full items-center gap-1 rounded-md bg-danger-soft pr-1 pl-2.5 max-md:w-full"
    >
      <CircleAlert aria-hidden className="mr-1 size-4 shrink-0 text-danger-ink @max-[18rem]:hidden" />
      <p className="mr-auto truncate pr-1 text-sm font-medium tabular-nums">
        {count} <span className="@max-[18rem]:sr-only">{noun} </span>failed
      </p>
      {filters.status !== 'error' && (
        <Button
          size="sm"
          variant="ghost"
          className="touch-beyond relative h-6 px-2 max-md:min-h-6 @max-[14rem]:hidden"
          onClick={() => onShow(FAILED)}
        >
          Show
        </Button>
      )}
      {mayRetry && (
        <Button
          size="sm"
          variant="ghost"
          data-command="Retry all failed steps"
          className="touch-beyond relative h-6 px-1.5 max-md:min-h-6"
          pending={isPending}
          onClick={() =>
            start({ action: 'retry', target: filterTarget(FAILED, failures.interviews + failures.permanent) })
          }
        >
          Retry all
        </Button>
      )}
      {question}
    </section>
  );
}
