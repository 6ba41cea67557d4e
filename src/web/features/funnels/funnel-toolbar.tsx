import { type FunnelFilters, SORT_OPTIONS, STATUS_OPTIONS } from '#web/features/funnels/funnel-filters.ts';
import { SearchInput } from '#web/ui/search-input.tsx';
import { Select } from '#web/ui/select.tsx';

interface Props {
  filters: FunnelFilters;
  onChange: (part: Partial<FunnelFilters>) => void;
}

export function FunnelToolbar({ filters, onChange }: Props) {
  return (
    <div className="mb-5 flex flex-wrap gap-2">
      <SearchInput
        label="Search funnels"
        placeholder="Search by name, client or description"
        value={filters.search}
        onChange={(search) => onChange({ search })}
        className="w-full grow sm:w-auto sm:max-w-md"
      />
      <Select
        label="Status"
        value={filters.status}
        options={STATUS_OPTIONS}
        onChange={(status) => onChange({ status })}
        className="grow sm:ml-auto sm:w-40 sm:grow-0"
      />
      <Select
        label="Sort"
        value={filters.sort}
        options={SORT_OPTIONS}
        onChange={(sort) => onChange({ sort })}
        className="grow sm:w-36 sm:grow-0"
      />
    </div>
  );
}
