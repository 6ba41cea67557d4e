import { useDeferredValue, useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import type { Interview } from '#contracts/interviews.ts';
import { InterviewCard } from '#web/features/interviews/card/interview-card.tsx';
import { InterviewRow } from '#web/features/interviews/card/interview-row.tsx';
import type { Open } from '#web/features/interviews/dialogs/open-dialog.ts';
import type { Layout } from '#web/features/interviews/layout.ts';
import { INTERVIEW_GRID } from '#web/features/interviews/list/interview-grid.ts';
import { walkWithArrows } from '#web/features/interviews/list/walk-with-arrows.ts';
import { cn } from '#web/lib/cn.ts';

/** What is in view at once, a row of the grid, is drawn before the rest, and its pictures do not wait. */
const firstRow = () => (matchMedia('(width >= 80rem)').matches ? 3 : matchMedia('(width >= 48rem)').matches ? 2 : 1);

interface Props {
  interviews: readonly Interview[];
  /** Null while they are on their way. */
  funnels: readonly Funnel[] | null;
  layout: Layout;
  onOpen: Open;
}

/** The interviews of a page. The arrow keys walk from one play button to the next; Enter plays. */
export function InterviewItems({ interviews, funnels, layout, onOpen }: Props) {
  const nameOf = ({ funnelIdNum }: Interview) =>
    funnels && (funnels.find(({ id }) => id === funnelIdNum)?.name ?? 'Unknown Funnel');
  const [first] = useState(firstRow);
  const count = useDeferredValue(interviews.length, first);
  const isWhole = count >= interviews.length;
  const Item = layout === 'cards' ? InterviewCard : InterviewRow;
  return (
    // The keys only move the focus between buttons that are reached by Tab as well.
    <ul
      aria-label="Interviews"
      onKeyDown={walkWithArrows}
      className={cn(
        layout === 'cards'
          ? INTERVIEW_GRID
          : 'divide-y divide-line overflow-clip rounded-xl border border-line bg-surface shadow-card',
        // What stands below stays out of view, so that it does not move through it.
        isWhole || 'min-h-dvh content-start',
      )}
    >
      {interviews.slice(0, count).map((interview, index) => (
        <Item
          key={interview.id}
          interview={interview}
          funnelName={nameOf(interview)}
          eager={index < first}
          onOpen={onOpen}
        />
      ))}
    </ul>
  );
}
