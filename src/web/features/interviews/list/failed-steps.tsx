import { CircleAlert } from 'lucide-react';
import type { Failures } from '#contracts/interviews.ts';
import { type InterviewFilters, NO_FILTERS } from '#web/features/interviews/interview-filters.ts';
import { filterTarget, useStartBulk } from '#web/features/interviews/selection/use-start-bulk.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';

interface Props {
  failures: Failures;
  filters: InterviewFilters;
  onShow: (filters: InterviewFilters) => void;
}

const FAILED: InterviewFilters = { ...NO_FILTERS, status: 'error' };

/** Failed steps of all interviews, whatever the filters, with a way to see and to retry them. */
export function FailedSteps({ failures, filters, onShow }: Props) {
  const { start, isPending, question } = useStartBulk();
  if (failures.steps === 0) return null;
  return (
    <section
      aria-label="Failed steps"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-danger/30 bg-danger-soft px-3 py-1.5"
    >
      <CircleAlert aria-hidden className="size-4 shrink-0 text-danger-ink" />
      <p className="text-sm font-medium tabular-nums">{formatCount(failures.steps, 'step')} failed</p>
      {filters.status !== 'error' && (
        <Button size="sm" variant="ghost" onClick={() => onShow(FAILED)}>
          Show
        </Button>
      )}
      <Button
        size="sm"
        variant="ghost"
        pending={isPending}
        onClick={() => start({ action: 'retry', target: filterTarget(FAILED, failures.interviews) })}
      >
        Retry all
      </Button>
      {question}
    </section>
  );
}
