import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Funnel } from '#contracts/funnels.ts';
import { useActivateFunnel } from '#web/features/funnels/funnel-actions.ts';
import { type FunnelFilters, readFilters, writeFilters } from '#web/features/funnels/funnel-filters.ts';
import { FunnelList } from '#web/features/funnels/funnel-list.tsx';
import { FunnelToolbar } from '#web/features/funnels/funnel-toolbar.tsx';
import { listFunnels } from '#web/lib/api.ts';
import { dashboardAddress } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Loading } from '#web/ui/loading.tsx';

const FunnelDialog = lazy(() =>
  import('#web/features/funnels/funnel-dialog.tsx').then((m) => ({ default: m.FunnelDialog })),
);
const DeleteFunnelDialog = lazy(() =>
  import('#web/features/funnels/delete-funnel-dialog.tsx').then((m) => ({ default: m.DeleteFunnelDialog })),
);

type OpenDialog = { kind: 'create' } | { kind: 'edit' | 'delete'; funnel: Funnel } | null;

export function FunnelsPage() {
  useTitle('Funnel Management');
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const create = () => setDialog({ kind: 'create' });
  const close = () => setDialog(null);
  const funnels = useQuery(endpointQuery(listFunnels));
  // The dialog shows what is known of the funnel by now; of one that is gone, what was known last.
  const edited = dialog?.kind === 'edit' ? dialog.funnel : null;
  const now = edited && funnels.data?.find(({ id }) => id === edited.id);
  if (now && now !== edited) setDialog({ kind: 'edit', funnel: now });

  return (
    <>
      <PageHeader onCreate={create} />
      <Funnels
        onCreate={create}
        onEdit={(funnel) => setDialog({ kind: 'edit', funnel })}
        onDelete={(funnel) => setDialog({ kind: 'delete', funnel })}
      />
      <Suspense>
        {dialog?.kind === 'create' && <FunnelDialog funnel={null} onClose={close} />}
        {dialog?.kind === 'edit' && <FunnelDialog funnel={dialog.funnel} onClose={close} />}
        {dialog?.kind === 'delete' && <DeleteFunnelDialog funnel={dialog.funnel} onClose={close} />}
      </Suspense>
    </>
  );
}

function PageHeader({ onCreate }: { onCreate: () => void }) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div>
        <Link
          href={dashboardAddress()}
          className="touch-beyond relative mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-sm text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          Back to Dashboard
        </Link>
        <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">Funnel Management</h1>
        <p className="mt-0.5 text-muted">Configure API sources to fetch video interviews</p>
      </div>
      <Button variant="primary" onClick={onCreate}>
        <Plus aria-hidden />
        Add New Funnel
      </Button>
    </div>
  );
}

interface FunnelsProps {
  onCreate: () => void;
  onEdit: (funnel: Funnel) => void;
  onDelete: (funnel: Funnel) => void;
}

function Funnels(props: FunnelsProps) {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);
  const funnels = useQuery(endpointQuery(listFunnels));
  const activate = useActivateFunnel();
  const change = (part: Partial<FunnelFilters>) =>
    // A change of filter starts at the first page again; only turning pages is a step that Back should undo.
    setParams(writeFilters({ ...filters, page: 1, ...part }), { replace: part.page === undefined });

  if (funnels.isPending) return <Loading>Loading funnels...</Loading>;
  if (funnels.isError) {
    return (
      <Alert
        tone="danger"
        title="Error Loading Funnels"
        actions={
          <Button size="sm" pending={funnels.isFetching} onClick={() => funnels.refetch()}>
            Retry
          </Button>
        }
      >
        {funnels.error.message}
      </Alert>
    );
  }
  if (!funnels.data) return null;
  return (
    <>
      <FunnelToolbar filters={filters} onChange={change} />
      <FunnelList
        funnels={funnels.data}
        filters={filters}
        onChange={change}
        onActivate={(funnel) => activate.mutate({ params: { id: funnel.id } })}
        {...props}
      />
    </>
  );
}
