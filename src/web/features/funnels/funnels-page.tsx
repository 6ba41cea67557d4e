import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useMay } from '#web/lib/may.ts';
import { useDialog, useLastKnown } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { useUrlFilters } from '#web/lib/use-url-filters.ts';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { ListToolbar } from '#web/ui/layout/list-toolbar.tsx';
import { PageHead } from '#web/ui/layout/page-head.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import type { OpenFunnelDialog } from './funnel-card.tsx';
import { FUNNEL_FILTERS, SORT_OPTIONS, STATUS_OPTIONS } from './funnel-filters.ts';
import { FunnelList } from './funnel-list.tsx';

const FunnelDialog = lazyPart(() => import('./funnel-dialog.tsx').then((m) => m.FunnelDialog));
const DeleteFunnelDialog = lazyPart(() => import('./delete-funnel-dialog.tsx').then((m) => m.DeleteFunnelDialog));

export function FunnelsPage() {
  useTitle('Funnel Management');
  const { dialog, id, open, close } = useDialog(['create-funnel', 'edit-funnel', 'delete-funnel']);
  const funnels = useQuery(endpointQuery('/api/funnels'));
  const funnel = useLastKnown(funnels.data, id);

  return (
    <>
      <PageHeader onCreate={() => open('create-funnel')} />
      <Funnels onOpen={open} />
      {dialog === 'create-funnel' && <FunnelDialog funnel={null} firstSource={id} onClose={close} />}
      {dialog === 'edit-funnel' && funnel && <FunnelDialog funnel={funnel} onClose={close} />}
      {dialog === 'delete-funnel' && funnel && <DeleteFunnelDialog funnel={funnel} onClose={close} />}
    </>
  );
}

function PageHeader({ onCreate }: { onCreate: () => void }) {
  const may = useMay();
  return (
    <PageHead
      title="Funnel Management"
      description={
        may('PUT /api/funnels/:id')
          ? 'Configure API sources to fetch video interviews'
          : 'The jobs whose interviews you can watch'
      }
    >
      {may('POST /api/funnels') && (
        <Button variant="primary" onClick={onCreate}>
          <Plus aria-hidden />
          Add New Funnel
        </Button>
      )}
    </PageHead>
  );
}

function Funnels({ onOpen }: { onOpen: OpenFunnelDialog }) {
  const { filters, change, goToPage } = useUrlFilters(FUNNEL_FILTERS);
  const funnels = useQuery(endpointQuery('/api/funnels'));

  if (funnels.isPending) return <Loading isPage>Loading funnels...</Loading>;
  if (funnels.isError) return <LoadError title="Error Loading Funnels" query={funnels} />;
  if (!funnels.data) return null;
  return (
    <>
      {funnels.data.length > 0 && (
        <ListToolbar
          label="Search funnels"
          placeholder="Search by name, client or description"
          value={filters.search}
          onChange={(search) => change({ search })}
        >
          <Select
            label="Status"
            value={filters.status}
            options={STATUS_OPTIONS}
            onChange={(status) => change({ status })}
            className="grow sm:ml-auto sm:w-40 sm:grow-0"
          />
          <Select
            label="Sort"
            value={filters.sort}
            options={SORT_OPTIONS}
            onChange={(sort) => change({ sort })}
            className="grow sm:w-36 sm:grow-0"
          />
        </ListToolbar>
      )}
      <FunnelList
        funnels={funnels.data}
        filters={filters}
        onClear={() => change({ search: '', status: 'all' })}
        onPage={goToPage}
        onOpen={onOpen}
      />
    </>
  );
}
