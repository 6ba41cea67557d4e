import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useAnswerReview, useDialog, useIsReviewing } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { useUrlFilters } from '#web/lib/use-url-filters.ts';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { InterviewDialogs } from './dialogs/interview-dialogs.tsx';
import { INTERVIEW_DIALOGS } from './dialogs/open-dialog.ts';
import { INTERVIEW_FILTERS, NO_FILTERS, reviewFilters } from './interview-filters.ts';
import { interviewsQuery } from './interviews-query.ts';
import { DashboardToolbar } from './list/dashboard-toolbar.tsx';
import { InterviewList } from './list/interview-list.tsx';
import { useLayout } from './list/layout-toggle.tsx';
import { AnswersDialogs, SearchNote } from './list/review.tsx';
import { useShownBulkRunId } from './selection/bulk-runs.ts';
import { EarlyKeys } from './selection/early-keys.ts';
import { countSelected, useSelectionOf } from './selection/selection.ts';
import { ViewDialogs } from './views/views-menu.tsx';

// Loaded when something is selected or a run is in progress.
const BulkBar = lazyPart(() => import('./selection/bulk-bar.tsx').then((m) => m.BulkBar), {
  fallback: <EarlyKeys />,
});

export function InterviewsPage() {
  useTitle('Interviews');
  const { filters: chosen, change, goToPage } = useUrlFilters(INTERVIEW_FILTERS);
  const isReviewing = useIsReviewing();
  const byAnswer = useAnswerReview();
  const filters = isReviewing ? reviewFilters(chosen, byAnswer?.job) : chosen;
  const clear = () => change({ ...NO_FILTERS, archived: filters.archived, sort: filters.sort });
  const [layout, setLayout] = useLayout();
  const interviews = useQuery(interviewsQuery(filters));
  const funnels = useQuery(endpointQuery('/api/funnels'));
  const dialog = useDialog(INTERVIEW_DIALOGS);

  const selection = useSelectionOf(chosen);
  const selected = countSelected(selection);
  const hasBar = useShownBulkRunId() !== null || selected > 0;

  return (
    <>
      <DashboardToolbar
        filters={chosen}
        funnels={funnels.data ?? []}
        isListed={!interviews.isPending}
        total={interviews.data?.total ?? 0}
        failures={interviews.data?.failures}
        layout={layout}
        onLayout={setLayout}
        onChange={change}
        onClear={clear}
      />
      <ViewDialogs filters={chosen} />
      <AnswersDialogs filters={chosen} />
      <InterviewList
        query={interviews}
        filters={filters}
        funnels={funnels.data ?? (funnels.isPending ? null : [])}
        layout={layout}
        onOpen={dialog.open}
        onPage={goToPage}
        onClear={clear}
        bulkBar={
          hasBar && (
            <BulkBar
              selection={selection}
              filters={filters}
              total={interviews.data?.total ?? 0}
              listed={interviews.data?.interviews ?? []}
            />
          )
        }
      />
      <SearchNote filters={filters} />
      <p role="status" className="sr-only">
        {selected > 0 && `${formatNumber(selected)} selected`}
      </p>
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
