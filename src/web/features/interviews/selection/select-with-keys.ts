import type { KeyboardEvent } from 'react';
import { isIgnoredShortcut } from '#web/lib/single-key-shortcuts.ts';
import { selectTo, toggleSelected } from './selection.ts';

const BOX = '[data-select]';
const boxesIn = (list: Element) => [...list.querySelectorAll<HTMLElement>(BOX)];
const idOf = (box: HTMLElement) => box.dataset.select ?? '';

/** The ids of the interviews in the list of this element, in their order. */
export const listedIds = (element: Element): string[] =>
  boxesIn(element.closest('[data-selectable]') ?? element).map(idOf);

const STEPS: Record<string, (columns: number) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
};

/**
 * Keys of the list: X selects the interview that has the focus, Shift and an arrow extend the
 * selection to its neighbor.
 */
export function selectWithKeys(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  const boxes = boxesIn(event.currentTarget);
  const focused = boxes.find((box) => box.closest('li')?.contains(target));
  if (!focused || target.matches('input:not([type=checkbox]), textarea')) return;
  const listed = boxes.map(idOf);
  if (event.key.toLowerCase() === 'x' && !isIgnoredShortcut(event.nativeEvent)) {
    toggleSelected(idOf(focused), listed);
    return;
  }
  const step = event.shiftKey && !target.closest('[role=tablist]') ? STEPS[event.key] : undefined;
  if (!step) return;
  const next = boxes[boxes.indexOf(focused) + step(columnsOf(boxes))];
  if (next) {
    selectTo(idOf(focused), listed);
    selectTo(idOf(next), listed);
    next.focus();
  }
  event.preventDefault();
}

function columnsOf(boxes: readonly HTMLElement[]): number {
  const topOf = (box: HTMLElement) => box.closest('li')?.getBoundingClientRect().top;
  return boxes.filter((box) => topOf(box) === (boxes[0] && topOf(boxes[0]))).length;
}
