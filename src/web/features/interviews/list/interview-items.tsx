import { type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import type { Interview } from '#contracts/interviews.ts';
import { InterviewCard } from '#web/features/interviews/card/interview-card.tsx';
import { InterviewRow } from '#web/features/interviews/card/interview-row.tsx';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { ARROW_MOVES, countColumns, selectWithKeys } from '#web/features/interviews/selection/select-with-keys.ts';
import { cn } from '#web/lib/cn.ts';
import { isPressed, LIST_KEYS } from '#web/lib/keys.ts';
import { CompactHeads } from './compact-heads.tsx';
import type { Layout } from './layout-toggle.tsx';
import { INTERVIEW_GRID } from './loading-interviews.tsx';
import { useItemKeys } from './use-item-keys.ts';

/** The interviews of the first grid row render first and load their pictures eagerly. */
const countFirstRow = () =>
  matchMedia('(width >= 80rem)').matches ? 3 : matchMedia('(width >= 48rem)').matches ? 2 : 1;

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
  const [first] = useState(countFirstRow);
  const count = useDeferredValue(interviews.length, first);
  const isComplete = count >= interviews.length;
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  const onItemKey = useItemKeys(interviews, onOpen);
  const shown = interviews.slice(0, count);
  useGliding(list, shown);
  const Item = layout === 'cards' ? InterviewCard : InterviewRow;
  return (
    <>
      {layout === 'compact' && <CompactHeads />}
      <ul
        aria-label="Interviews"
        ref={list}
        data-selectable
        onKeyDown={(event) => {
          selectWithKeys(event);
          onItemKey(event);
        }}
        className={cn(
          'relative',
          layout === 'cards'
            ? INTERVIEW_GRID
            : 'divide-y divide-line overflow-clip rounded-xl border border-line bg-surface shadow-card',
          // Until then the pager is below the screen, so that it does not visibly move.
          isComplete ? 'fades-in' : 'min-h-dvh content-start',
        )}
      >
        {shown.map((interview, index) => (
          <Item
            key={interview.id}
            interview={interview}
            funnelName={funnelNameOf(interview)}
            eager={index < first}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </>
  );
}

const GLIDE_MS = 150;

/** Interviews that get another place in the list glide there. They jump where motion is reduced. */
function useGliding(list: RefObject<HTMLElement | null>, interviews: readonly Interview[]): void {
  const last = useRef({ width: 0, places: new Map<HTMLElement, { x: number; y: number }>() });
  const order = interviews.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the order changes
  useLayoutEffect(() => {
    const items = [...(list.current?.children ?? [])] as HTMLElement[];
    const places = new Map(items.map((item) => [item, { x: item.offsetLeft, y: item.offsetTop }]));
    const width = list.current?.offsetWidth ?? 0;
    const before = last.current;
    last.current = { width, places };
    // Places that were measured in a window of another size are wrong.
    if (width !== before.width || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const [item, { x, y }] of places) {
      const from = before.places.get(item);
      if (!from || (from.x === x && from.y === y)) continue;
      const transform = [`translate(${from.x - x}px, ${from.y - y}px)`, 'none'];
      item.animate?.({ transform }, { duration: GLIDE_MS, easing: 'ease-out' });
    }
  }, [list, order]);
}

/**
 * The arrow keys move the focus from interview to interview. Without a focused element they begin
 * at the first interview on screen.
 */
function useArrowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const move = isPressed(LIST_KEYS.move, event) ? ARROW_MOVES[event.key] : undefined;
      if (!move || event.defaultPrevented) return;
      const next = neighborOf(event.target as HTMLElement, [...(list.current?.children ?? [])], move);
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list]);
}

const PLAY = '[data-play]';

function neighborOf(from: HTMLElement, items: Element[], move: (columns: number) => number): HTMLElement | null {
  const pictureOf = (item: Element | undefined) => item?.querySelector<HTMLElement>(PLAY) ?? null;
  const isPage = from === document.body || from.matches('main');
  if (isPage && !document.querySelector('[data-scrim]'))
    return pictureOf(items.find((item) => item.getBoundingClientRect().top >= 0) ?? items[0]);
  const at = from.matches(PLAY) ? items.findIndex((item) => item.contains(from)) : -1;
  return at < 0 ? null : pictureOf(items[at + move(countColumns(items))]);
}
