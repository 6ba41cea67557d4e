import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Plus } from 'lucide-react';
import { Link } from 'wouter';
import type { Funnel } from '#contracts/funnels.ts';
import { dashboardAddress } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useMay } from '#web/lib/may.ts';
import { useDialog, useLastKnown } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { useUrlFilters } from '#web/lib/use-url-filters.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { useActivateFunnel } from './funnel-actions.ts';
import { FUNNEL_FILTERS } from './funnel-filters.ts';
import { FunnelList } from './funnel-list.tsx';
import { FunnelToolbar } from './funnel-toolbar.tsx';

const FunnelDialog = lazyPart(() => import('./funnel-dialog.tsx').then((m) => m.FunnelDialog));
const DeleteFunnelDialog = lazyPart(() => import('./delete-funnel-dialog.tsx').then((m) => m.DeleteFunnelDialog));

export function FunnelsPage() {
  useTitle('Funnel Management');
  const { dialog, id, open, close } = useDialog(['create-funnel', 'edit-funnel', 'delete-funnel']);
  const create = () => open('create-funnel');
  const funnels = useQuery(endpointQuery('/api/funnels'));
  const funnel = useLastKnown(funnels.data?.find((funnel) => String(funnel.id) === id) ?? null, id);

  return (
    <>
      <PageHeader onCreate={create} />
      <Funnels
        onCreate={create}
        onEdit={(funnel) => open('edit-funnel', funnel.id)}
        onDelete={(funnel) => open('delete-funnel', funnel.id)}
      />
      {dialog === 'create-funnel' && <FunnelDialog funnel={null} firstSource={id} onClose={close} />}
      {dialog === 'edit-funnel' && funnel && <FunnelDialog funnel={funnel} onClose={close} />}
      {dialog === 'delete-funnel' && funnel && <DeleteFunnelDialog funnel={funnel} onClose={close} />}
    </>
  );
}

function PageHeader({ onCreate }: { onCreate: () => void }) {
  const may = useMay();
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
        <p className="mt-0.5 text-muted">
          {may('PUT /api/funnels/:id')
            ? 'Configure API sources to fetch video interviews'
            : 'The jobs whose interviews you can watch'}
        </p>
      </div>
      {may('POST /api/funnels') && (
        <Button variant="primary" onClick={onCreate}>
          <Plus aria-hidden />
          Add New Funnel
        </Button>
      )}
    </div>
  );
}

interface FunnelsProps {
  onCreate: () => void;
  onEdit: (funnel: Funnel) => void;
  onDelete: (funnel: Funnel) => void;
}

function Funnels(props: FunnelsProps) {
  const { filters, change, goTo } = useUrlFilters(FUNNEL_FILTERS);
  const funnels = useQuery(endpointQuery('/api/funnels'));
  const activate = useActivateFunnel();

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
      {funnels.data.length > 0 && <FunnelToolbar filters={filters} onChange={change} />}
      <FunnelList
        funnels={funnels.data}
        filters={filters}
        onClear={() => change({ search: '', status: 'all' })}
        onPage={(page) => goTo({ page })}
        onActivate={(funnel) => activate.mutate({ params: { id: funnel.id } })}
        {...props}
      />
    </>
  );
}
