import { SlidersHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '#contracts/rules/limits.ts';
import { countFilters, hasInterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { ViewsButton } from '#web/features/interviews/views/views-menu.tsx';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { SearchInput } from '#web/ui/forms/search-input.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { FilterControls, type FilterControlsProps } from './filter-controls.tsx';

const FilterSheet = lazyPart(() => import('./filter-sheet.tsx').then((m) => m.FilterSheet));

const SEARCH_DELAY_MS = 300;

interface Props extends FilterControlsProps {
  /** The number of interviews that match. */
  total: number;
  onClear: () => void;
}

/** One row: the search and all filters, or a button that opens them on narrow screens. */
export function FilterBar({ total, onClear, ...controls }: Props) {
  const { filters, onChange } = controls;
  const search = useSearchDraft(filters.search, (text) => onChange({ search: text }));
  const { dialog, open, close } = useDialog(['filters']);
  const clear = () => {
    search.discard();
    onClear();
  };
  return (
    <div className="flex items-center gap-2 xl:gap-1.5">
      <SearchInput
        label="Search interviews"
        value={search.text}
        onChange={(text) => search.type(text.slice(0, MAX_SEARCH_LENGTH))}
        onBlur={search.leave}
        onKeyDown={goToResults}
        className="min-w-0 grow basis-0"
      />
      <Button
        aria-haspopup="dialog"
        data-command="Filters"
        onPointerEnter={FilterSheet.preload}
        onClick={() => open('filters')}
        className="xl:hidden"
      >
        <SlidersHorizontal aria-hidden />
        Filters{countFilters(filters) > 0 && ` (${countFilters(filters)})`}
      </Button>
      <div className="flex items-center gap-1.5 max-xl:hidden">
        <FilterControls {...controls} />
        {hasInterviewFilters(filters) && (
          <Button
            variant="ghost"
            aria-label="Clear filters"
            data-command="Clear filters"
            onClick={clear}
            className="px-2"
          >
            <X aria-hidden />
            Clear
          </Button>
        )}
        <ViewsButton filters={filters} />
      </div>
      {dialog && <FilterSheet {...controls} total={total} onClear={clear} onClose={close} />}
    </div>
  );
}

/** Down and Enter in the search box move the focus to the first result. */
function goToResults(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && (event.key !== 'Enter' || event.nativeEvent.isComposing)) return;
  event.preventDefault();
  document.querySelector<HTMLElement>('[data-selectable] [data-play]')?.focus();
}

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
    /** Commits immediately, before a click elsewhere can add a history entry. */
    leave: () => draft !== null && flush(draft),
    discard: () => {
      clearTimeout(timer.current);
      setDraft(null);
    },
  };
}
