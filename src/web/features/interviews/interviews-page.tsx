import { useQuery } from '@tanstack/react-query';
import { ActiveFunnelMenu } from '#web/features/refresh/active-funnel-menu.tsx';
import { RefreshAlert } from '#web/features/refresh/refresh-alert.tsx';
import { RefreshButton } from '#web/features/refresh/refresh-button.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatNumber } from '#web/lib/format.ts';
import { openDialog, useDialog, useIsReviewing } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { useUrlFilters } from '#web/lib/use-url-filters.ts';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { InterviewDialogs } from './dialogs/interview-dialogs.tsx';
import { INTERVIEW_DIALOGS } from './dialogs/open-dialog.ts';
import { INTERVIEW_FILTERS, NO_FILTERS } from './interview-filters.ts';
import { interviewsQuery } from './interviews-query.ts';
import { ArchivedToggle } from './list/archived-toggle.tsx';
import { FailedSteps } from './list/failed-steps.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { InterviewList } from './list/interview-list.tsx';
import { LayoutToggle, useLayout } from './list/layout-toggle.tsx';
import { ReviewButton, SearchNote } from './list/review.tsx';
import { useShownBulkRunId } from './selection/bulk-runs.ts';
import { countSelected, useSelectionOf } from './selection/selection.ts';
import { ViewTabs } from './views/view-tabs.tsx';

// Loaded when something is selected or a run is in progress.
const BulkBar = lazyPart(() => import('./selection/bulk-bar.tsx').then((m) => m.BulkBar), { inPlace: true });

export function InterviewsPage() {
  useTitle('Interviews');
  const { filters: chosen, change, goTo } = useUrlFilters(INTERVIEW_FILTERS);
  const filters = useIsReviewing() ? { ...chosen, unwatched: true } : chosen;
  const clear = () => change({ ...NO_FILTERS, archived: filters.archived });
  const [layout, setLayout] = useLayout();
  const interviews = useQuery(interviewsQuery(filters));
  const funnels = useQuery(endpointQuery('/api/funnels'));
  const dialog = useDialog(INTERVIEW_DIALOGS);

  const selection = useSelectionOf(chosen);
  const selected = countSelected(selection);
  const hasBar = useShownBulkRunId() !== null || selected > 0;

  return (
    <>
      {/* What appears later has its place in advance, so that nothing moves. Phones have three rows. */}
      <div className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 max-xl:mb-2 xl:gap-x-3">
        <h1 className="mr-auto text-xl font-semibold tracking-tight sm:text-2xl xl:mr-0">
          {filters.archived ? 'Archived Interviews' : 'Interviews'}
        </h1>
        <RefreshAlert className="peer grow basis-0 max-xl:order-5">
          {interviews.data && (
            <FailedSteps
              failures={interviews.data.failures}
              total={interviews.data.total}
              filters={filters}
              onShow={change}
            />
          )}
        </RefreshAlert>
        <ReviewButton
          filters={chosen}
          onReview={(id) => openDialog({ name: 'video', id, review: true })}
          className="max-xl:order-5 max-md:peer-data-busy:hidden"
        />
        <div className="flex items-center gap-2 max-xl:order-1">
          <ArchivedToggle archived={filters.archived} onChange={(archived) => change({ archived })} />
          <LayoutToggle layout={layout} onChange={setLayout} />
        </div>
        <div className="order-2 basis-full md:hidden" />
        <ActiveFunnelMenu className="max-xl:order-3 max-lg:w-16 max-lg:grow lg:w-56" />
        <div className="flex flex-wrap gap-2 max-xl:order-3 max-sm:has-[>:nth-child(2)]:mt-1 max-sm:has-[>:nth-child(2)]:w-full max-sm:[&>*]:grow max-sm:[&>span>button]:grow">
          <RefreshButton />
        </div>
        <div className="order-4 basis-full xl:hidden" />
      </div>
      <ViewTabs filters={chosen} />
      <FilterBar
        filters={chosen}
        funnels={funnels.data ?? []}
        isListed={!interviews.isPending}
        onChange={change}
        onClear={clear}
      />
      <InterviewList
        query={interviews}
        filters={filters}
        funnels={funnels.data ?? (funnels.isPending ? null : [])}
        layout={layout}
        onOpen={dialog.open}
        onPage={(page) => {
          goTo({ page });
          window.scrollTo({ top: 0 });
        }}
        onClear={clear}
      />
      <SearchNote filters={filters} />
      <p role="status" className="sr-only">
        {selected > 0 && `${formatNumber(selected)} selected`}
      </p>
      {hasBar && (
        <BulkBar
          selection={selection}
          filters={filters}
          total={interviews.data?.total ?? 0}
          listed={interviews.data?.interviews ?? []}
        />
      )}
      <InterviewDialogs
        dialog={dialog.dialog}
        id={dialog.id}
        listed={interviews.data}
        filters={filters}
        onClose={dialog.close}
      />
    </>
  );
}
