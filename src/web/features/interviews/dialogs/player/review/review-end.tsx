import { CheckCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatNumber } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import type { ReviewCounts } from './use-review.ts';

interface Props {
  counts: ReviewCounts;
  onUndo: () => void;
  onClose: () => void;
}

/** The results of the review, shown after the last interview. */
export function ReviewEnd({ counts: { reviewed, archived, toSend }, onUndo, onClose }: Props) {
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('button')?.focus(), []);
  const parts = [
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
      This was the last interview of the list.
    </EmptyState>
  );
}
