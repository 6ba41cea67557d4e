import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { SearchInput } from '#web/ui/forms/search-input.tsx';

/** Enter moves to the next match, as in the search of a browser. */
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
          {search.count === 0 ? 'No matches' : `${search.at + 1} of ${search.count}`}
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

/** The segments that contain the search term, and the current match. */
export function useTranscriptSearch(segments: readonly TranscriptSegment[]) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const term = typed.trim();
  const hits = term === '' ? [] : indexesWith(segments, term);
  return {
    typed,
    /** The search term. Empty without a search. */
    term,
    /** The index of the current match, from 0. */
    at,
    count: hits.length,
    /** The segment of the current match. Undefined without a match. */
    hit: hits[at],
    type: (value: string) => {
      setTyped(value);
      setAt(0);
    },
    /** Wraps around after the last match. */
    turn: (by: 1 | -1) => {
      if (hits.length > 0) setAt((at + by + hits.length) % hits.length);
    },
  };
}

export type TranscriptSearch = ReturnType<typeof useTranscriptSearch>;

function indexesWith(segments: readonly TranscriptSegment[], term: string): number[] {
  const wanted = term.toLowerCase();
  return segments.flatMap(({ text }, index) => (text.toLowerCase().includes(wanted) ? [index] : []));
}
