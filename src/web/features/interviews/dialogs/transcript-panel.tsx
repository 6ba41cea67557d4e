import { LocateFixed } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { TranscriptLine } from '#web/features/interviews/dialogs/transcript-line.tsx';
import { TranscriptSearchBar } from '#web/features/interviews/dialogs/transcript-search-bar.tsx';
import { useSpokenSegment } from '#web/features/interviews/dialogs/use-playback.ts';
import { useTranscriptSearch } from '#web/features/interviews/dialogs/use-transcript-search.ts';
import { Button } from '#web/ui/button.tsx';

interface Props {
  video: RefObject<HTMLVideoElement | null>;
  segments: readonly TranscriptSegment[];
  onSeek: (seconds: number) => void;
}

/** The transcript beside the video: it follows what is spoken, a click goes there, and it can be searched. */
export function TranscriptPanel({ video, segments, onSeek }: Props) {
  const spoken = useSpokenSegment(video, segments);
  const search = useTranscriptSearch(segments);
  const [following, setFollowing] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const shown = search.hit ?? (following ? spoken : -1);
  useEffect(() => {
    if (shown >= 0) bringIntoView(list.current, shown);
  }, [shown]);
  const follow = () => {
    setFollowing(true);
    search.type('');
  };

  return (
    <section aria-label="Transcript" className="flex min-h-0 flex-col rounded-lg border border-line">
      <TranscriptSearchBar search={search} />
      <ol
        ref={list}
        // Whoever scrolls wants to read elsewhere; following must not pull them back.
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
        className="relative max-h-64 min-h-0 grow overflow-y-auto p-1.5 lg:max-h-none"
      >
        {segments.map((segment, index) => (
          <TranscriptLine
            // biome-ignore lint/suspicious/noArrayIndexKey: segments keep their order, and two can be equal
            key={index}
            segment={segment}
            isSpoken={index === spoken}
            isHit={index === search.hit}
            term={search.term}
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

/** Scrolls the list alone: the dialog and the page stay where they are. */
function bringIntoView(list: HTMLElement | null, index: number): void {
  const line = list?.children[index];
  if (!list || !(line instanceof HTMLElement)) return;
  list.scrollTo({ top: line.offsetTop - list.clientHeight / 3 });
}
