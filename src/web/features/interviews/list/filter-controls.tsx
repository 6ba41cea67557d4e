import { EyeOff } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import {
  beginReview,
  type InterviewFilters,
  REVIEW_OPTIONS,
  SORT_OPTIONS,
  STATUS_OPTIONS,
  sortOf,
} from '#web/features/interviews/interview-filters.ts';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DateRangePicker } from '#web/ui/forms/date-range-picker.tsx';
import { MultiPicker } from '#web/ui/forms/multi-picker.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { ReadyChip } from './ready-chip.tsx';

export interface FilterControlsProps {
  filters: InterviewFilters;
  /** Empty while loading. */
  funnels: readonly Funnel[];
  /** False until the list has arrived. */
  isListed: boolean;
  onChange: (part: Partial<Omit<InterviewFilters, 'page'>>) => void;
}

interface OrderProps extends Pick<FilterControlsProps, 'filters' | 'onChange'> {
  className?: string;
}

/** All filters but the search. The parent arranges them. */
export const FilterControls = ({ filters, funnels, isListed, onChange }: FilterControlsProps) => (
  <>
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
      className="min-w-0 xl:w-31"
    />
    <MultiPicker
      name="Clients"
      label={filters.clients.length === 0 ? 'All Clients' : `${filters.clients.length} client(s)`}
      searchPlaceholder="Search clients..."
      options={clientsOf(funnels, filters.clients).map((name) => ({ value: name, label: name }))}
      selected={filters.clients}
      onChange={(chosen) => onChange({ clients: chosen })}
      className="min-w-0 xl:w-30"
    />
    <Select
      label="Status"
      data-command="Filter by status"
      value={filters.status}
      options={STATUS_OPTIONS}
      onChange={(status) => onChange({ status })}
      className="xl:w-31"
    />
    <DateRangePicker
      value={filters.range}
      onChange={(range) => onChange({ range })}
      className={cn('min-w-0', filters.range ? 'xl:w-56' : 'xl:w-40')}
    />
    <Button
      aria-pressed={filters.unwatched}
      data-command="Filter: Unwatched"
      onClick={() => {
        beginReview();
        onChange({ unwatched: !filters.unwatched });
      }}
      className={cn(
        'min-w-0 px-2.5',
        filters.unwatched && 'border-accent bg-accent-soft text-accent-ink hover:bg-accent-soft',
      )}
    >
      <EyeOff aria-hidden className="xl:hidden" />
      Unwatched
    </Button>
    <Select
      label="My review"
      data-command="Filter by review"
      value={filters.review}
      options={REVIEW_OPTIONS}
      onChange={(review) => {
        beginReview();
        onChange({ review });
      }}
      className="xl:w-31"
    />
    {!filters.archived && <ReadyChip filters={filters} canCount={isListed} onChange={(ready) => onChange({ ready })} />}
  </>
);

export const OrderSelect = ({ filters, onChange, className }: OrderProps) => (
  <Select
    label="Order"
    data-command="Order"
    value={sortOf(filters)}
    options={SORT_OPTIONS}
    onChange={(sort) => {
      if (sort !== 'oldest-unwatched') return onChange({ sort });
      beginReview();
      onChange({ sort: 'oldest', unwatched: true });
    }}
    {...(className && { className })}
  />
);

function funnelsLabel(chosen: readonly number[], funnels: readonly Funnel[]): string {
  if (chosen.length === 0) return 'All Funnels';
  if (chosen.length > 1) return `${chosen.length} funnels selected`;
  // Until the funnels have arrived, its name is unknown as well.
  return funnels.find(({ id }) => id === chosen[0])?.name ?? (funnels.length > 0 ? 'Unknown Funnel' : '');
}

/** The clients of the funnels and the chosen ones, which may no longer have a funnel. */
const clientsOf = (funnels: readonly Funnel[], chosen: readonly string[]) =>
  [...new Set([...funnels.flatMap(({ clientName }) => clientName ?? []), ...chosen])].sort((a, b) =>
    a.localeCompare(b),
  );
