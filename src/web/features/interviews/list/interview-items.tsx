import { type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import type { Interview } from '#contracts/interviews.ts';
import { InterviewCard } from '#web/features/interviews/card/interview-card.tsx';
import { InterviewRow } from '#web/features/interviews/card/interview-row.tsx';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { selectWithKeys } from '#web/features/interviews/selection/select-with-keys.ts';
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

/** The interviews of a page. The arrow keys move the focus between their thumbnails. */
export function InterviewItems({ interviews, funnels, layout, onOpen }: Props) {
  const funnelNameOf = ({ funnelIdNum }: Interview) =>
    funnels && (funnels.find(({ id }) => id === funnelIdNum)?.name ?? 'Unknown Funnel');
  const [first] = useState(firstRow);
  const count = useDeferredValue(interviews.length, first);
  const isWhole = count >= interviews.length;
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  const Item = layout === 'cards' ? InterviewCard : InterviewRow;
  return (
    <ul
      aria-label="Interviews"
      ref={list}
      data-selectable
      onKeyDown={selectWithKeys}
      className={cn(
        layout === 'cards'
          ? INTERVIEW_GRID
          : 'divide-y divide-line overflow-clip rounded-xl border border-line bg-surface shadow-card',
        // Keeps the pager below the screen, so that it does not visibly move.
        isWhole ? 'fades-in' : 'min-h-dvh content-start',
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

/**
 * The arrow keys go from interview to interview. From the page itself, without anything focused,
 * they begin at the first one on screen.
 */
function useArrowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
      const next = neighborOf(event.target as HTMLElement, [...(list.current?.children ?? [])], step);
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list]);
}

const PLAY = '[data-play]';

function neighborOf(from: HTMLElement, items: Element[], step: (columns: number) => number): HTMLElement | null {
  const tops = items.map((item) => item.getBoundingClientRect().top);
  const isPage = from === document.body || from.matches('main');
  if (isPage && !document.querySelector('[data-scrim]'))
    return (items[tops.findIndex((top) => top >= 0)] ?? items[0])?.querySelector<HTMLElement>(PLAY) ?? null;
  const at = from.matches(PLAY) ? items.findIndex((item) => item.contains(from)) : -1;
  const columns = tops.filter((top) => top === tops[0]).length;
  return at < 0 ? null : (items[at + step(columns)]?.querySelector<HTMLElement>(PLAY) ?? null);
}
