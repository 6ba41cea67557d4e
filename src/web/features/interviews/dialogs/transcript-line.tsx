import { memo } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { MarkedText } from '#web/features/interviews/dialogs/marked-text.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDuration } from '#web/lib/format.ts';

interface Props {
  segment: TranscriptSegment;
  /** Being spoken, or spoken last. */
  isSpoken: boolean;
  /** The match that the search has led to. */
  isHit: boolean;
  term: string;
  onSeek: (seconds: number) => void;
}

/** A long recording has thousands of these, and two of them change at a time. */
export const TranscriptLine = memo(({ segment, isSpoken, isHit, term, onSeek }: Props) => (
  <li>
    <button
      type="button"
      aria-current={isSpoken || undefined}
      onClick={() => onSeek(segment.startSeconds)}
      className={cn(
        'flex w-full gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover',
        isSpoken && 'bg-accent-soft hover:bg-accent-soft',
        isHit && 'ring-1 ring-accent',
      )}
    >
      <span className="shrink-0 pt-px text-xs text-muted tabular-nums">
        {formatDuration(Math.floor(segment.startSeconds))}
      </span>
      <span className="min-w-0 text-sm break-words">
        <MarkedText text={segment.text} term={term} />
      </span>
    </button>
  </li>
));
