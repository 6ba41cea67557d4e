import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import type { Interview } from '#contracts/interviews.ts';
import { InterviewCard } from '#web/features/interviews/card/interview-card.tsx';
import { InterviewRow } from '#web/features/interviews/card/interview-row.tsx';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { cn } from '#web/lib/cn.ts';
import type { Layout } from './layout-toggle.tsx';
import { INTERVIEW_GRID } from './loading-interviews.tsx';

/** The first grid row renders before the rest, and its pictures load eagerly. */
const firstRow = () => (matchMedia('(width >= 80rem)').matches ? 3 : matchMedia('(width >= 48rem)').matches ? 2 : 1);

interface Props {
  interviews: readonly Interview[];
  /** Null while loading. */
  funnels: readonly Funnel[] | null;
  layout: Layout;
  onOpen: OpenInterviewDialog;
}

/** The interviews of a page. The arrow keys move the focus between play buttons. */
export function InterviewItems({ interviews, funnels, layout, onOpen }: Props) {
  const funnelNameOf = ({ funnelIdNum }: Interview) =>
    funnels && (funnels.find(({ id }) => id === funnelIdNum)?.name ?? 'Unknown Funnel');
  const [first] = useState(firstRow);
  const count = useDeferredValue(interviews.length, first);
  const isWhole = count >= interviews.length;
  const Item = layout === 'cards' ? InterviewCard : InterviewRow;
  return (
    // The keys only move the focus between buttons, which Tab reaches as well.
    <ul
      aria-label="Interviews"
      onKeyDown={moveFocusWithArrows}
      className={cn(
        layout === 'cards'
          ? INTERVIEW_GRID
          : 'divide-y divide-line overflow-clip rounded-xl border border-line bg-surface shadow-card',
        // Keeps the pager below the screen, so that it does not visibly move.
        isWhole || 'min-h-dvh content-start',
      )}
    >
      {interviews.slice(0, count).map((interview, index) => (
        <Item
          key={interview.id}
          interview={interview}
          funnelName={funnelNameOf(interview)}
          eager={index < first}
          onOpen={onOpen}
        />
      ))}
    </ul>
  );
}

const STEPS: Record<string, (columns: number) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
};

/** Moves the focus from a play button to its neighbor on screen. */
function moveFocusWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-play]');
  if (!step || !focused) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-play]')];
  const top = buttons[0]?.getBoundingClientRect().top;
  const columns = buttons.filter((button) => button.getBoundingClientRect().top === top).length;
  const next = buttons[buttons.indexOf(focused) + step(columns)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
