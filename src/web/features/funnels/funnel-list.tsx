import { Filter, Plus } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import { useMay } from '#web/lib/may.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Paged } from '#web/ui/layout/pager.tsx';
import { FunnelCard, type OpenFunnelDialog } from './funnel-card.tsx';
import { type FunnelFilters, filterFunnels, hasFunnelFilters, PAGE_SIZE } from './funnel-filters.ts';

interface Props {
  funnels: readonly Funnel[];
  filters: FunnelFilters;
  onClear: () => void;
  onPage: (page: number) => void;
  onOpen: OpenFunnelDialog;
}

export function FunnelList({ funnels, filters, onClear, onPage, onOpen }: Props) {
  const found = filterFunnels(funnels, filters);
  if (found.length === 0) {
    return <NoFunnels isFiltered={hasFunnelFilters(filters)} onClear={onClear} onOpen={onOpen} />;
  }
  return (
    <Paged rows={found} page={filters.page} pageSize={PAGE_SIZE} onPage={onPage}>
      {(shown) => (
        <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {shown.map((funnel) => (
            <FunnelCard key={funnel.id} funnel={funnel} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </Paged>
  );
}

function NoFunnels({ isFiltered, onClear, onOpen }: Pick<Props, 'onClear' | 'onOpen'> & { isFiltered: boolean }) {
  const mayCreate = useMay()('POST /api/funnels');
  if (!isFiltered && !mayCreate) {
    return (
      <EmptyState icon={<Filter />} title="No funnels found">
        You don't see any funnels yet. Ask an administrator to add them to your account.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Filter />}
      title="No funnels found"
      action={
        isFiltered ? (
          <Button onClick={onClear}>Clear filters</Button>
        ) : (
          <Button onClick={() => onOpen('create-funnel')}>
            <Plus aria-hidden />
            Add New Funnel
          </Button>
        )
      }
    >
      {isFiltered ? 'Try adjusting your search or filters.' : 'Create your first funnel to start fetching interviews.'}
    </EmptyState>
  );
}
