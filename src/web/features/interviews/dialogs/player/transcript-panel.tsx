import { LocateFixed } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { TranscriptLine } from './transcript-line.tsx';
import { TranscriptSearchBar, useTranscriptSearch } from './transcript-search.tsx';
import { useSpokenSegment } from './use-spoken-segment.ts';

interface Props {
  video: RefObject<HTMLVideoElement | null>;
  segments: readonly TranscriptSegment[];
  /** The words that the list was searched for. */
  search: string;
  onSeek: (seconds: number) => void;
  /** Next to the search. */
  downloads?: ReactNode;
}

/** The transcript next to the video. It follows the video, seeks on click, and can be searched. */
export function TranscriptPanel({ video, segments, search: initial, onSeek, downloads }: Props) {
  const spoken = useSpokenSegment(video, segments);
  const search = useTranscriptSearch(segments, { initial, onSeek });
  const [following, setFollowing] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const tabStop = focused ?? Math.max(0, spoken);
  const shown = search.hit ?? (following ? spoken : -1);
  useEffect(() => {
    if (shown >= 0) bringIntoView(list.current, shown);
  }, [shown]);
  const follow = () => {
    setFollowing(true);
    search.type('');
  };

  return (
    <section aria-label="Transcript" className="flex min-h-0 grow flex-col">
      <TranscriptSearchBar search={search}>{downloads}</TranscriptSearchBar>
      <ol
        ref={list}
        // Scrolling means reading elsewhere: stop following the video.
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
        onFocus={(event) => setFocused(lineOf(event))}
        onBlur={() => setFocused(null)}
        onKeyDown={moveBetweenLines}
        className="relative max-h-64 forced-colors:space-y-1 min-h-0 grow overflow-y-auto p-1.5 lg:max-h-none"
      >
        {segments.map((segment, index) => (
          <TranscriptLine
            // biome-ignore lint/suspicious/noArrayIndexKey: fixed order; segments can repeat
            key={index}
            segment={segment}
            isSpoken={index === spoken}
            isHit={index === search.hit}
            isTabStop={index === tabStop}
            words={search.words}
            onSeek={onSeek}
          />
        ))}
      </ol>
      {!following && (
        <Button size="sm" className="m-2 self-center" onClick={follow}>
          <LocateFixed aria-hidden />
          Follow the video
        </Button>
      )}
    </section>
  );
}

/** The index of the line that has the focus. */
const lineOf = ({ currentTarget, target }: FocusEvent<HTMLElement> | KeyboardEvent<HTMLElement>) =>
  [...currentTarget.children].indexOf((target as HTMLElement).closest('li') as Element);

const LINES: Record<string, (from: number, count: number) => number> = {
  ArrowUp: (from) => from - 1,
  ArrowDown: (from) => from + 1,
  Home: () => 0,
  End: (_from, count) => count - 1,
};

function moveBetweenLines(event: KeyboardEvent<HTMLElement>): void {
  const lines = event.currentTarget.querySelectorAll('button');
  const to = LINES[event.key]?.(lineOf(event), lines.length);
  if (to === undefined) return;
  event.preventDefault();
  lines[to]?.focus();
}

/** Scrolls the list only, not the dialog or the page. */
function bringIntoView(list: HTMLElement | null, index: number): void {
  const line = list?.children[index];
  if (!list || !(line instanceof HTMLElement)) return;
  list.scrollTo({ top: line.offsetTop - list.clientHeight / 3 });
}
