import { SearchInput } from '#web/ui/forms/search-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { type AccountFilters, ROLE_CHOICES, STATE_CHOICES } from './account-filters.ts';

interface Props {
  filters: AccountFilters;
  onChange: (part: Partial<Omit<AccountFilters, 'page'>>) => void;
}

export function AccountToolbar({ filters, onChange }: Props) {
  return (
    <div className="mb-5 flex flex-wrap gap-2">
      <SearchInput
        label="Search accounts"
        placeholder="Search by name or email"
        value={filters.search}
        onChange={(search) => onChange({ search })}
        className="w-full grow sm:w-auto sm:max-w-md"
      />
      <Select
        label="Role"
        data-command="Filter by role"
        value={filters.role}
        options={ROLE_CHOICES}
        onChange={(role) => onChange({ role })}
        className="grow sm:ml-auto sm:w-36 sm:grow-0"
      />
      <Select
        label="State"
        data-command="Filter by state"
        value={filters.state}
        options={STATE_CHOICES}
        onChange={(state) => onChange({ state })}
        className="grow sm:w-36 sm:grow-0"
      />
    </div>
  );
}
