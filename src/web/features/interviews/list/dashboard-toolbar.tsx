import { Archive, Download } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Failures } from '#contracts/interviews.ts';
import { csvUrl } from '#web/features/interviews/interview-filters.ts';
import { RefreshAlert } from '#web/features/refresh/refresh-alert.tsx';
import { RefreshButton } from '#web/features/refresh/refresh-button.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatCount } from '#web/lib/format.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { FilterBar } from './filter-bar.tsx';
import { OrderSelect } from './filter-controls.tsx';
import { type Layout, LayoutToggle } from './layout-toggle.tsx';
import { MoreMenu } from './more-menu.tsx';
import { ReviewButton, useReview } from './review.tsx';

const EXPORT = { title: 'Export as CSV', 'aria-label': 'Export as CSV', 'data-command': 'Export as CSV' };

// Rare. The toolbar has room for it.
const FailedSteps = lazyPart(() => import('./failed-steps.tsx').then((m) => m.FailedSteps));

interface Props extends ComponentProps<typeof FilterBar> {
  /** Undefined while loading. */
  failures: Failures | undefined;
  layout: Layout;
  onLayout: (layout: Layout) => void;
}

/**
 * The actions of the page, then the search and filters, in two rows. Narrow screens have a third
 * row for what happens: failed steps, or the progress of a refresh. What appears later has its
 * place in advance, so that nothing moves.
 */
export function DashboardToolbar({ failures, layout, onLayout, ...bar }: Props) {
  const { filters, total, onChange } = bar;
  const hasReview = (useReview(filters)?.unwatched ?? 0) > 0 && !filters.archived;
  const mayRefresh = useMay()('GET /api/interviews/sync');
  const archivedTitle = filters.archived ? 'Hide archived interviews' : 'Show archived interviews';
  const onArchived = (archived: boolean) => onChange({ archived });
  return (
    <div className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1.5 xl:mb-4 xl:gap-x-3 xl:gap-y-3">
      {/* Phones have no room for it. On wide screens, a refresh needs its room next to Review. */}
      <h1
        className={cn(
          'text-xl font-semibold tracking-tight mr-auto xl:mr-0 xl:text-2xl',
          hasReview && 'xl:has-[+[data-busy]]:sr-only',
          mayRefresh ? 'max-md:sr-only' : hasReview && 'max-[22rem]:sr-only',
        )}
      >
        {filters.archived ? 'Archived Interviews' : 'Interviews'}
      </h1>
      <RefreshAlert className="max-xl:order-1 max-xl:basis-full xl:grow xl:basis-0">
        {failures &&
          (failures.interviews === 0 || filters.archived ? (
            // Where narrow screens show failed steps.
            <p className="flex items-center text-sm text-muted tabular-nums xl:hidden">
              {formatCount(total, filters.archived ? 'archived interview' : 'interview')}
            </p>
          ) : (
            <FailedSteps failures={failures} filters={filters} onShow={onChange} />
          ))}
      </RefreshAlert>
      <ReviewButton filters={filters} {...(!mayRefresh && { className: 'max-[22rem]:grow' })} />
      {mayRefresh && (
        <RefreshButton variant={hasReview ? 'secondary' : 'primary'} className="max-md:grow max-md:basis-0" />
      )}
      <div className="flex items-center gap-2 max-xl:hidden">
        <Button
          variant="ghost"
          aria-pressed={filters.archived}
          aria-label="Archived"
          data-command={archivedTitle}
          title={archivedTitle}
          onClick={() => onArchived(!filters.archived)}
          className="px-2.5 aria-pressed:bg-thumb aria-pressed:text-ink aria-pressed:shadow-card"
        >
          <Archive aria-hidden />
          Archived
        </Button>
        <OrderSelect filters={filters} onChange={onChange} className="w-36" />
        <LayoutToggle layout={layout} onChange={onLayout} />
        <Button size="icon" asChild>
          <a {...EXPORT} href={csvUrl(filters)} download>
            <Download aria-hidden />
          </a>
        </Button>
      </div>
      <MoreMenu {...{ filters, layout, onLayout, onArchived }} />
      <div className="basis-full">
        <FilterBar {...bar} />
      </div>
    </div>
  );
}
