import { ChevronDown, ChevronUp, LocateFixed } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { TranscriptLine } from '#web/features/interviews/dialogs/transcript-line.tsx';
import { useSpokenSegment } from '#web/features/interviews/dialogs/use-playback.ts';
import { Button } from '#web/ui/button.tsx';
import { SearchInput } from '#web/ui/search-input.tsx';

interface Props {
  video: RefObject<HTMLVideoElement | null>;
  segments: readonly TranscriptSegment[];
  onSeek: (seconds: number) => void;
}

/** The transcript beside the video: it follows what is spoken, a click goes there, and it can be searched. */
export function TranscriptPanel({ video, segments, onSeek }: Props) {
  const spoken = useSpokenSegment(video, segments);
  const [following, setFollowing] = useState(true);
  const [term, setTerm] = useState('');
  const [found, setFound] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const search = term.trim();
  const hits = search === '' ? [] : indexesWith(segments, search);
  const hit = hits[found];

  const shown = hit ?? (following ? spoken : -1);
  useEffect(() => {
    if (shown >= 0) bringIntoView(list.current, shown);
  }, [shown]);

  const turn = (by: number) => {
    if (hits.length > 0) setFound((found + by + hits.length) % hits.length);
  };
  return (
    <section aria-label="Transcript" className="flex min-h-0 flex-col rounded-lg border border-line">
      <div className="flex items-center gap-1 border-b border-line p-2">
        <form
          className="grow"
          onSubmit={(event) => {
            event.preventDefault();
            turn(1);
          }}
        >
          <SearchInput
            label="Search the transcript"
            placeholder="Search"
            value={term}
            onChange={(value) => {
              setTerm(value);
              setFound(0);
            }}
          />
        </form>
        {search !== '' && (
          <>
            <output className="px-1 text-xs whitespace-nowrap text-muted tabular-nums">
              {hits.length === 0 ? 'None' : `${found + 1} of ${hits.length}`}
            </output>
            <Button
              size="sm"
              variant="ghost"
              aria-label="Previous match"
              disabled={hits.length === 0}
              onClick={() => turn(-1)}
            >
              <ChevronUp aria-hidden />
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-label="Next match"
              disabled={hits.length === 0}
              onClick={() => turn(1)}
            >
              <ChevronDown aria-hidden />
            </Button>
          </>
        )}
      </div>
      <ol
        ref={list}
        // Whoever scrolls wants to read elsewhere; following must not pull them back.
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
        className="relative max-h-64 min-h-0 grow overflow-y-auto p-1.5 lg:max-h-none"
      >
        {segments.map((segment, index) => (
          <TranscriptLine
            key={`${segment.startSeconds} ${segment.endSeconds} ${segment.text}`}
            segment={segment}
            isSpoken={index === spoken}
            isHit={index === hit}
            term={search}
            onSeek={onSeek}
          />
        ))}
      </ol>
      {!following && (
        <Button
          size="sm"
          className="m-2 self-center"
          onClick={() => {
            setFollowing(true);
            setTerm('');
          }}
        >
          <LocateFixed aria-hidden />
          Follow the video
        </Button>
      )}
    </section>
  );
}

function indexesWith(segments: readonly TranscriptSegment[], term: string): number[] {
  const wanted = term.toLowerCase();
  return segments.flatMap(({ text }, index) => (text.toLowerCase().includes(wanted) ? [index] : []));
}

/** Scrolls the list alone: the dialog and the page stay where they are. */
function bringIntoView(list: HTMLElement | null, index: number): void {
  const line = list?.children[index];
  if (!list || !(line instanceof HTMLElement)) return;
  list.scrollTo({ top: line.offsetTop - list.clientHeight / 3 });
}
