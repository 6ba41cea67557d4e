import { EyeOff, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import { MAX_SEARCH_LENGTH } from '#contracts/rules/limits.ts';
import {
  beginReview,
  hasInterviewFilters,
  type InterviewFilters,
  STATUS_OPTIONS,
} from '#web/features/interviews/interview-filters.ts';
import { SaveViewButton } from '#web/features/interviews/views/view-tabs.tsx';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DateRangePicker } from '#web/ui/forms/date-range-picker.tsx';
import { MultiPicker } from '#web/ui/forms/multi-picker.tsx';
import { SearchInput } from '#web/ui/forms/search-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { ReadyChip } from './ready-chip.tsx';

const SEARCH_DELAY_MS = 300;

interface Props {
  filters: InterviewFilters;
  /** Empty while loading. */
  funnels: readonly Funnel[];
  /** False until the list has arrived. */
  isListed: boolean;
  onChange: (part: Partial<Omit<InterviewFilters, 'page'>>) => void;
  onClear: () => void;
}

export function FilterBar({ filters, funnels, isListed, onChange, onClear }: Props) {
  const search = useSearchDraft(filters.search, (text) => onChange({ search: text }));
  return (
    <div className="mb-4 grid grid-cols-2 gap-2 sm:grid-cols-4 lg:flex lg:flex-wrap">
      <SearchInput
        label="Search interviews"
        value={search.text}
        onChange={(text) => search.type(text.slice(0, MAX_SEARCH_LENGTH))}
        onBlur={search.leave}
        // Leaves room for Clear filters, so that nothing moves when that appears.
        className="col-span-full sm:col-span-2 lg:w-60 lg:grow xl:w-48 xl:max-w-48"
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
        className="min-w-0 lg:w-44 xl:w-34"
      />
      <MultiPicker
        name="Clients"
        label={filters.clients.length === 0 ? 'All Clients' : `${filters.clients.length} client(s)`}
        searchPlaceholder="Search clients..."
        options={clientsOf(funnels, filters.clients).map((name) => ({ value: name, label: name }))}
        selected={filters.clients}
        onChange={(chosen) => onChange({ clients: chosen })}
        className="min-w-0 lg:w-36 xl:w-32"
      />
      <Select
        label="Status"
        value={filters.status}
        options={STATUS_OPTIONS}
        onChange={(status) => onChange({ status })}
        className="lg:w-38 xl:w-34"
      />
      <DateRangePicker
        value={filters.range}
        onChange={(range) => onChange({ range })}
        className="min-w-0 sm:col-span-2 xl:w-60"
      />
      <Button
        aria-pressed={filters.unwatched}
        title="Unwatched"
        onClick={() => {
          beginReview();
          onChange({ unwatched: !filters.unwatched });
        }}
        className={cn(
          'min-w-0 xl:w-9 xl:px-0',
          filters.unwatched && 'border-accent bg-accent-soft text-accent-ink hover:bg-accent-soft',
        )}
      >
        <EyeOff aria-hidden />
        <span className="xl:sr-only">Unwatched</span>
      </Button>
      {!filters.archived && (
        <ReadyChip filters={filters} canCount={isListed} onChange={(ready) => onChange({ ready })} />
      )}
      {hasInterviewFilters(filters) && (
        <div className="col-span-full flex flex-wrap justify-center gap-1 sm:col-span-2 sm:justify-start lg:justify-center">
          <Button
            variant="ghost"
            className="lg:px-2"
            onClick={() => {
              search.discard();
              onClear();
            }}
          >
            <X aria-hidden />
            Clear filters
          </Button>
          <SaveViewButton filters={filters} />
        </div>
      )}
    </div>
  );
}

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

/**
 * Commits the text of a search box when typing pauses. Without a draft the box shows the committed
 * text, so that it follows Back, links and Clear filters.
 */
function useSearchDraft(committed: string, commit: (text: string) => void) {
  const [draft, setDraft] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const flush = (text: string) => {
    clearTimeout(timer.current);
    commit(text);
    setDraft(null);
  };

  return {
    text: draft ?? committed,
    type: (text: string) => {
      setDraft(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => flush(text), SEARCH_DELAY_MS);
    },
    /** Commits at once, before a click elsewhere can add a history entry. */
    leave: () => draft !== null && flush(draft),
    discard: () => {
      clearTimeout(timer.current);
      setDraft(null);
    },
  };
}
