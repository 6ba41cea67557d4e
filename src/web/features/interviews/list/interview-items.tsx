import type { Funnel } from '#contracts/funnels.ts';
import type { Interview } from '#contracts/interviews.ts';
import { InterviewCard } from '#web/features/interviews/card/interview-card.tsx';
import { InterviewRow } from '#web/features/interviews/card/interview-row.tsx';
import type { Open } from '#web/features/interviews/dialogs/open-dialog.ts';
import type { Layout } from '#web/features/interviews/layout.ts';
import { INTERVIEW_GRID } from '#web/features/interviews/list/interview-grid.ts';
import { walkWithArrows } from '#web/features/interviews/list/walk-with-arrows.ts';

/** Pictures of the first cards are in view at once. */
const EAGER = 3;

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
  const Item = layout === 'cards' ? InterviewCard : InterviewRow;
  return (
    // The keys only move the focus between buttons that are reached by Tab as well.
    <ul
      aria-label="Interviews"
      onKeyDown={walkWithArrows}
      className={
        layout === 'cards'
          ? INTERVIEW_GRID
          : 'divide-y divide-line overflow-clip rounded-xl border border-line bg-surface shadow-card'
      }
    >
      {interviews.map((interview, index) => (
        <Item
          key={interview.id}
          interview={interview}
          funnelName={nameOf(interview)}
          eager={index < EAGER}
          onOpen={onOpen}
        />
      ))}
    </ul>
  );
}
