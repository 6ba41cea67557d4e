import { X } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import { SEARCH_LIMIT } from '#contracts/rules/limits.ts';
import { hasFilters, type InterviewFilters, STATUS_OPTIONS } from '#web/features/interviews/interview-filters.ts';
import { useSearchDraft } from '#web/features/interviews/use-search-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { DateRangePicker } from '#web/ui/date-range-picker.tsx';
import { MultiPicker } from '#web/ui/multi-picker.tsx';
import { SearchInput } from '#web/ui/search-input.tsx';
import { Select } from '#web/ui/select.tsx';

interface Props {
  filters: InterviewFilters;
  /** Empty while they are on their way. */
  funnels: readonly Funnel[];
  onChange: (part: Partial<Omit<InterviewFilters, 'page'>>) => void;
  onClear: () => void;
}

export function FilterBar({ filters, funnels, onChange, onClear }: Props) {
  const search = useSearchDraft(filters.search, (text) => onChange({ search: text }));
  return (
    <div className="mb-5 grid grid-cols-2 gap-2 sm:grid-cols-4 lg:flex lg:flex-wrap">
      <SearchInput
        label="Search interviews"
        value={search.text}
        onChange={(text) => search.type(text.slice(0, SEARCH_LIMIT))}
        // The room beyond is for Clear filters, which moves nothing when it comes.
        className="col-span-full lg:w-72 lg:grow xl:max-w-88"
      />
      <MultiPicker
        name="Funnels"
        label={funnelsLabel(filters.funnels, funnels)}
        searchPlaceholder="Search funnels..."
        options={funnels.map(({ id, name, isActive }) => ({
          value: id,
          label: name,
          badge: isActive ? 'Active' : undefined,
        }))}
        selected={filters.funnels}
        onChange={(chosen) => onChange({ funnels: chosen })}
        className="min-w-0 lg:w-44"
      />
      <MultiPicker
        name="Clients"
        label={filters.clients.length === 0 ? 'All Clients' : `${filters.clients.length} client(s)`}
        searchPlaceholder="Search clients..."
        options={clientsOf(funnels, filters.clients).map((name) => ({ value: name, label: name }))}
        selected={filters.clients}
        onChange={(chosen) => onChange({ clients: chosen })}
        className="min-w-0 lg:w-36"
      />
      <Select
        label="Status"
        value={filters.status}
        options={STATUS_OPTIONS}
        onChange={(status) => onChange({ status })}
        className="lg:w-38"
      />
      <DateRangePicker value={filters.range} onChange={(range) => onChange({ range })} className="min-w-0" />
      {hasFilters(filters) && (
        <Button
          variant="ghost"
          className="col-span-full"
          onClick={() => {
            search.drop();
            onClear();
          }}
        >
          <X aria-hidden />
          Clear filters
        </Button>
      )}
    </div>
  );
}

function funnelsLabel(chosen: readonly number[], funnels: readonly Funnel[]): string {
  if (chosen.length === 0) return 'All Funnels';
  const single = chosen.length === 1 && funnels.find(({ id }) => id === chosen[0]);
  return single ? single.name : `${chosen.length} funnels selected`;
}

/** The clients of the funnels, and those that a link names although no funnel has them any more. */
const clientsOf = (funnels: readonly Funnel[], chosen: readonly string[]) =>
  [...new Set([...funnels.flatMap(({ clientName }) => clientName ?? []), ...chosen])].sort((a, b) =>
    a.localeCompare(b),
  );
