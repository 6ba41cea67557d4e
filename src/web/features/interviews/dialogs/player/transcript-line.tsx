import { memo } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
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
  term: string;
  onSeek: (seconds: number) => void;
}

/** Memoized: a long recording has thousands of lines, and two change at a time. */
export const TranscriptLine = memo(({ segment, isSpoken, isHit, isTabStop, term, onSeek }: Props) => (
  <li>
    <button
      type="button"
      aria-current={isSpoken || undefined}
      tabIndex={isTabStop ? 0 : -1}
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

/** Marks every occurrence of the term, ignoring case. */
export function MarkedText({ text, term }: { text: string; term: string }) {
  if (term === '') return text;
  const wanted = term.toLowerCase();
  const lower = text.toLowerCase();
  // A letter that grows in lower case would shift the positions after it.
  if (lower.length !== text.length) return text;
  const parts = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-sm bg-mark text-inherit">
        {text.slice(at, at + term.length)}
      </mark>,
    );
    from = at + term.length;
  }
  return [...parts, text.slice(from)];
}
