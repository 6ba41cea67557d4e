import { memo } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { MarkedText } from '#web/features/interviews/marked-text.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDuration } from '#web/lib/format.ts';

interface Props {
  segment: TranscriptSegment;
  /** The current segment, or the previous one during silence. */
  isSpoken: boolean;
  /** The current match of the search. */
  isHit: boolean;
  /** The Tab key reaches one line only; the arrow keys move between lines. */
  isTabStop: boolean;
  words: readonly string[];
  onSeek: (seconds: number) => void;
}

/** Memoized: a long recording has thousands of lines, and two change at a time. */
export const TranscriptLine = memo(({ segment, isSpoken, isHit, isTabStop, words, onSeek }: Props) => (
  <li>
    <button
      type="button"
      aria-current={isSpoken || undefined}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => onSeek(segment.startSeconds)}
      className={cn(
        'flex w-full gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover',
        isSpoken && 'bg-accent-soft hover:bg-accent-soft',
        isHit &&
          'ring-1 ring-accent forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-dashed',
      )}
    >
      <span className="shrink-0 pt-px text-xs text-muted tabular-nums">
        {formatDuration(Math.floor(segment.startSeconds))}
      </span>
      <span className="min-w-0 text-sm break-words">
        <MarkedText text={segment.text} words={words} />
      </span>
    </button>
  </li>
));
