import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, ListVideo, Play } from 'lucide-react';
import { useCallback } from 'react';
import { filterQuery, type InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { filterTarget, useStartBulk } from '#web/features/interviews/selection/use-start-bulk.tsx';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { DASHBOARD_KEYS } from '#web/lib/keys.ts';
import { useMay } from '#web/lib/may.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { useShortcut } from '#web/lib/use-shortcut.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { useStartReview } from './use-start-review.ts';

/** Reads the counts of the current filter. The page works without them. */
const useReviewQuery = (filters: InterviewFilters) =>
  useQuery({
    ...endpointQuery('/api/review', { query: filterQuery({ ...filters, unwatched: false }) }),
    // Otherwise the button would disappear and return with each change of a filter.
    placeholderData: keepPreviousData,
    retry: false,
  });

export const useReview = (filters: InterviewFilters) => useReviewQuery(filters).data;

interface Props {
  filters: InterviewFilters;
  className?: string;
}

/** Opens the player on the unwatched interviews of the current filter. */
export function ReviewButton({ filters, className }: Props) {
  const { data, isPending } = useReviewQuery(filters);
  const unwatched = data?.unwatched ?? 0;
  const review = useStartReview(filters);
  if (filters.archived || (unwatched === 0 && !isPending)) return null;
  if (isPending) return <Place />;
  return (
    <div className={cn('flex gap-px', className)}>
      <Button
        variant="primary"
        data-command="Review unwatched"
        pending={review.isPending}
        onClick={() => review.mutate(null)}
        className="grow max-md:px-2.5 xl:rounded-r-none"
      >
        {!review.isPending && <Play aria-hidden />}
        <span>
          <span className="max-md:sr-only">Review</span> {formatNumber(unwatched)} unwatched
        </span>
      </Button>
      <DropdownMenu
        trigger={
          <Button
            variant="primary"
            size="icon"
            aria-label="More ways to review"
            className="rounded-l-none max-xl:hidden"
          >
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <AnswersItem />
      </DropdownMenu>
    </div>
  );
}

/** Below 1280 px it is part of the menu More. */
export function AnswersItem() {
  const { open } = useDialog(ANSWERS);
  return <MenuItem icon={ListVideo} label="Answer by answer" onSelect={() => open('answers')} />;
}

const ANSWERS = ['answers'] as const;
const AnswersDialog = lazyPart(() => import('./answers-dialog.tsx').then((m) => m.AnswersDialog));

export function AnswersDialogs({ filters }: { filters: InterviewFilters }) {
  const { dialog, open, close } = useDialog(ANSWERS);
  useShortcut(
    DASHBOARD_KEYS.answers,
    useCallback(() => open('answers'), [open]),
  );
  return dialog && <AnswersDialog filters={filters} onClose={close} />;
}

/** Keeps the place of the button on phones, whose Refresh button would move when it appears. */
const Place = () => (
  <div aria-hidden className="invisible flex items-center gap-1.5 border px-2.5 font-medium md:hidden">
    <Play className="size-4" />
    00 unwatched
  </div>
);

/** Warns that a search does not find what was said in interviews without a transcript. */
export function SearchNote({ filters }: { filters: InterviewFilters }) {
  const missing = useReview(filters)?.withoutTranscript;
  const { start, isPending, question } = useStartBulk();
  const mayTranscribe = useMay()('POST /api/bulk');
  if (!missing) return null;
  const transcribe = () => {
    const { filter } = filterTarget({ ...filters, search: '', unwatched: false }, missing);
    start({ action: 'transcribe', target: { filter: { ...filter, withoutTranscript: '1' }, expected: missing } });
  };
  return (
    <p className="mt-4 text-sm text-muted">
      Speech isn't searchable in {formatCount(missing, 'interview')} without a transcript.{' '}
      {mayTranscribe && !filters.archived && (
        <Button variant="link" pending={isPending} onClick={transcribe}>
          {missing === 1 ? 'Transcribe it' : 'Transcribe them'}
        </Button>
      )}
      {question}
    </p>
  );
}
