import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { wordsOf } from '#web/features/interviews/marked-text.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { SearchInput } from '#web/ui/forms/search-input.tsx';

/** Enter plays the current match, then the next one. */
export const TranscriptSearchBar = ({ search, children }: { search: TranscriptSearch; children?: ReactNode }) => (
  <div className="flex items-center gap-1 border-b border-line p-2 max-[24rem]:flex-wrap">
    <form
      className="grow max-[24rem]:basis-full"
      onSubmit={(event) => {
        event.preventDefault();
        search.enter();
      }}
    >
      <SearchInput label="Search the transcript" placeholder="Search" value={search.typed} onChange={search.type} />
    </form>
    {search.words.length > 0 && (
      <>
        <output className="px-1 text-xs max-[24rem]:mr-auto whitespace-nowrap text-muted tabular-nums">
          {search.count === 0 ? 'No matches' : `${search.at + 1} of ${search.count}`}
        </output>
        <MatchButton search={search} by={-1} label="Previous match" icon={<ChevronUp aria-hidden />} />
        <MatchButton search={search} by={1} label="Next match" icon={<ChevronDown aria-hidden />} />
      </>
    )}
    {children}
  </div>
);

interface MatchButtonProps {
  search: TranscriptSearch;
  by: 1 | -1;
  label: string;
  icon: ReactNode;
}

const MatchButton = ({ search, by, label, icon }: MatchButtonProps) => (
  <Button size="sm" variant="ghost" aria-label={label} disabled={search.count === 0} onClick={() => search.turn(by)}>
    {icon}
  </Button>
);

/**
 * Searches the transcript. Matches are the segments that contain all words, in any order. If there
 * are none, they are the segments that contain at least one.
 */
export function useTranscriptSearch(
  segments: readonly TranscriptSegment[],
  { initial, onSeek }: { initial: string; onSeek: (seconds: number) => void },
) {
  const [typed, setTyped] = useState(initial);
  const [at, setAt] = useState(0);
  const [isPlayed, setPlayed] = useState(false);
  const words = useMemo(() => wordsOf(typed), [typed]);
  const hits = useMemo(() => hitsOf(segments, words), [segments, words]);
  const show = (to: number) => {
    const hit = hits[to];
    if (hit === undefined) return;
    setAt(to);
    setPlayed(true);
    onSeek(segments[hit]?.startSeconds ?? 0);
  };
  /** Wraps around after the last match. */
  const turn = (by: 1 | -1) => show((at + by + hits.length) % hits.length);
  return {
    typed,
    /** Empty without a search. */
    words,
    /** The index of the current match, from 0. */
    at,
    count: hits.length,
    /** The segment of the current match. Undefined without a match. */
    hit: hits[at],
    type: (value: string) => {
      setTyped(value);
      setAt(0);
      setPlayed(false);
    },
    turn,
    enter: () => (isPlayed ? turn(1) : show(at)),
  };
}

export type TranscriptSearch = ReturnType<typeof useTranscriptSearch>;

function hitsOf(segments: readonly TranscriptSegment[], words: readonly string[]): number[] {
  if (words.length === 0) return [];
  const wanted = words.map((word) => word.toLowerCase());
  const found = segments.map(({ text }) => {
    const lower = text.toLowerCase();
    return wanted.filter((word) => lower.includes(word)).length;
  });
  const indexesWith = (count: number) => found.flatMap((words, index) => (words >= count ? [index] : []));
  const complete = indexesWith(wanted.length);
  return complete.length > 0 ? complete : indexesWith(1);
}
