import { SearchInput } from '#web/ui/forms/search-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { type FunnelFilters, SORT_OPTIONS, STATUS_OPTIONS } from './funnel-filters.ts';

interface Props {
  filters: FunnelFilters;
  onChange: (part: Partial<Omit<FunnelFilters, 'page'>>) => void;
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
