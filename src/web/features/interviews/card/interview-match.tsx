import { useSearch } from 'wouter/use-browser-location';
import type { Interview } from '#contracts/interviews.ts';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { MarkedText, wordsOf } from '#web/features/interviews/marked-text.tsx';
import { formatDuration } from '#web/lib/format.ts';

/** The line of the transcript or summary where a search found the interview. A click plays it. */
export function InterviewMatch({ interview, onOpen }: { interview: Interview; onOpen: OpenInterviewDialog }) {
  const search = new URLSearchParams(useSearch()).get('search') ?? '';
  const { match, id } = interview;
  if (!match || (match.field !== 'transcript' && match.field !== 'summary')) return null;
  const { text, startSeconds } = match;
  return (
    <button
      type="button"
      onClick={() => onOpen('video', id, startSeconds ?? undefined)}
      className="mt-1 line-clamp-2 w-full rounded-md text-left text-xs break-words forced-colors:border-0! text-muted hover:text-ink"
    >
      {match.field === 'summary' && <span className="sr-only">In the summary: </span>}
      <MarkedText text={text} words={wordsOf(search)} />
      {startSeconds !== null && (
        <span className="ml-1.5 text-faint tabular-nums">{formatDuration(Math.floor(startSeconds))}</span>
      )}
    </button>
  );
}
