import { Filter, Plus } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import { FunnelCard } from '#web/features/funnels/funnel-card.tsx';
import { type FunnelFilters, filterFunnels, hasFilters, PAGE_SIZE } from '#web/features/funnels/funnel-filters.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Pager } from '#web/ui/pager.tsx';

interface Props {
  funnels: readonly Funnel[];
  filters: FunnelFilters;
  onChange: (part: Partial<FunnelFilters>) => void;
  onCreate: () => void;
  onEdit: (funnel: Funnel) => void;
  onDelete: (funnel: Funnel) => void;
  onActivate: (funnel: Funnel) => void;
}

export function FunnelList({ funnels, filters, onChange, onCreate, ...actions }: Props) {
  const found = filterFunnels(funnels, filters);
  if (found.length === 0) {
    return (
      <NoFunnels
        filtered={hasFilters(filters)}
        onClear={() => onChange({ search: '', status: 'all' })}
        onCreate={onCreate}
      />
    );
  }
  // The last page may have gone with the funnel that was deleted.
  const page = Math.min(filters.page, Math.ceil(found.length / PAGE_SIZE));
  return (
    <>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((funnel) => (
          <FunnelCard key={funnel.id} funnel={funnel} {...actions} />
        ))}
      </ul>
      <Pager
        page={page}
        pageSize={PAGE_SIZE}
        total={found.length}
        onPage={(next) => {
          onChange({ page: next });
          scrollTo({ top: 0 });
        }}
        className="mt-6"
      />
    </>
  );
}

function NoFunnels({ filtered, onClear, onCreate }: { filtered: boolean; onClear: () => void; onCreate: () => void }) {
  return (
    <EmptyState
      icon={<Filter />}
      title="No funnels found"
      action={
        filtered ? (
          <Button onClick={onClear}>Clear filters</Button>
        ) : (
          <Button variant="primary" onClick={onCreate}>
            <Plus aria-hidden />
            Add New Funnel
          </Button>
        )
      }
    >
      {filtered ? 'Try adjusting your search or filters.' : 'Create your first funnel to start fetching interviews.'}
    </EmptyState>
  );
}
