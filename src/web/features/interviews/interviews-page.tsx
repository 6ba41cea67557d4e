import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { InterviewDialogs } from '#web/features/interviews/dialogs/interview-dialogs.tsx';
import type { Open, OpenDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { interviewsQuery } from '#web/features/interviews/interviews-query.ts';
import { InterviewList } from '#web/features/interviews/list/interview-list.tsx';
import { FilterBar } from '#web/features/interviews/toolbar/filter-bar.tsx';
import { LayoutToggle } from '#web/features/interviews/toolbar/layout-toggle.tsx';
import { useDashboardParams } from '#web/features/interviews/use-dashboard-params.ts';
import { RefreshAlert } from '#web/features/refresh/refresh-alert.tsx';
import { RefreshButton } from '#web/features/refresh/refresh-button.tsx';
import { listFunnels } from '#web/lib/api.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useTitle } from '#web/lib/use-title.ts';

export function InterviewsPage() {
  useTitle('Interviews');
  const { filters, layout, change, clear, turnTo, setLayout } = useDashboardParams();
  const interviews = useQuery(interviewsQuery(filters));
  const funnels = useQuery(endpointQuery(listFunnels));
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  // A dialog shows what the list knows by now; of what has left the list, what it knew last.
  const now = interviews.data?.interviews.find(({ id }) => id === dialog?.interview.id);
  if (dialog && now && now !== dialog.interview) setDialog({ ...dialog, interview: now });
  const open = useCallback<Open>((kind, interview) => setDialog({ kind, interview }), []);

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-2 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">Interviews</h1>
        <div className="flex items-center gap-2">
          <LayoutToggle layout={layout} onChange={setLayout} />
          <RefreshButton />
        </div>
      </div>
      <FilterBar filters={filters} funnels={funnels.data ?? []} onChange={change} onClear={clear} />
      <RefreshAlert />
      <InterviewList
        query={interviews}
        filters={filters}
        funnels={funnels.data ?? (funnels.isPending ? null : [])}
        layout={layout}
        onOpen={open}
        onPage={(page) => {
          turnTo(page);
          window.scrollTo({ top: 0 });
        }}
        onClear={clear}
      />
      <InterviewDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}
