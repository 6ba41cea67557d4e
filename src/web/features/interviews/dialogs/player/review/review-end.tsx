import { CheckCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { recommendationLabel } from '#contracts/rules/recommendations.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import type { ReviewCounts } from './use-review.ts';

interface Props {
  counts: ReviewCounts;
  onUndo: () => void;
  onClose: () => void;
}

/** The results of the review, shown after the last interview. */
export function ReviewEnd({ counts: { answers, reviewed, archived, toSend, decided }, onUndo, onClose }: Props) {
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('button')?.focus(), []);
  const parts = [
    answers && `${formatCount(answers.played, 'answer')} to question ${answers.number}`,
    `${formatNumber(reviewed)} reviewed`,
    archived > 0 && `${formatNumber(archived)} archived`,
    toSend > 0 && `${formatNumber(toSend)} to send`,
  ];
  return (
    <EmptyState
      icon={<CheckCheck />}
      title={parts.filter(Boolean).join(' · ')}
      className="border-none py-8"
      action={
        <div ref={back} className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={onClose}>
            Back to the list
          </Button>
          <Button title="U or Z" onClick={onUndo}>
            Undo
          </Button>
        </div>
      }
    >
      This was the last interview in the list.
      {decided.length > 0 && (
        <ul
          aria-label="My reviews"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          tabIndex={0}
          className="mt-4 max-h-60 w-full max-w-md divide-y divide-line overflow-y-auto text-left"
        >
          {decided.map(({ interview, recommendation }) => (
            <li key={interview.id} className="flex justify-between gap-4 py-2 text-sm text-ink">
              <span className="min-w-0 truncate">{interview.candidateName || interview.title}</span>
              <span className="shrink-0 font-medium">{recommendationLabel(recommendation)}</span>
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}
