import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TranscriptSearch } from '#web/features/interviews/dialogs/use-transcript-search.ts';
import { Button } from '#web/ui/button.tsx';
import { SearchInput } from '#web/ui/search-input.tsx';

/** Enter goes to the next match, as in a browser's own search. */
export const TranscriptSearchBar = ({ search }: { search: TranscriptSearch }) => (
  <div className="flex items-center gap-1 border-b border-line p-2">
    <form
      className="grow"
      onSubmit={(event) => {
        event.preventDefault();
        search.turn(1);
      }}
    >
      <SearchInput label="Search the transcript" placeholder="Search" value={search.typed} onChange={search.type} />
    </form>
    {search.term !== '' && (
      <>
        <output className="px-1 text-xs whitespace-nowrap text-muted tabular-nums">
          {search.count === 0 ? 'None' : `${search.at + 1} of ${search.count}`}
        </output>
        <Turn search={search} by={-1} label="Previous match" icon={<ChevronUp aria-hidden />} />
        <Turn search={search} by={1} label="Next match" icon={<ChevronDown aria-hidden />} />
      </>
    )}
  </div>
);

interface TurnProps {
  search: TranscriptSearch;
  by: 1 | -1;
  label: string;
  icon: ReactNode;
}

const Turn = ({ search, by, label, icon }: TurnProps) => (
  <Button size="sm" variant="ghost" aria-label={label} disabled={search.count === 0} onClick={() => search.turn(by)}>
    {icon}
  </Button>
);
