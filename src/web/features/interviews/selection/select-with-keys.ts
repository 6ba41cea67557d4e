import type { KeyboardEvent } from 'react';
import { isPressed, LIST_KEYS } from '#web/lib/keys.ts';
import { isIgnoredShortcut } from '#web/lib/single-key-shortcuts.ts';
import { selectPage, selectTo, toggleSelected } from './selection.ts';

const BOX = '[data-select]';
const boxesIn = (list: Element) => [...list.querySelectorAll<HTMLElement>(BOX)];
const idOf = (box: HTMLElement) => box.dataset.select ?? '';

/** The ids of the interviews in the list of this element, in their order. */
export const listedIds = (element: Element): string[] =>
  boxesIn(element.closest('[data-selectable]') ?? element).map(idOf);

/** How far an arrow key moves in a list with this many columns. */
export const ARROW_MOVES: Readonly<Record<string, (columns: number) => number>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
};

/**
 * Handles the keys of the list: X selects the interview that has the focus, Shift with an arrow
 * extends the selection to its neighbor, and Ctrl+A or ⌘A selects the page.
 */
export function selectWithKeys(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  const boxes = boxesIn(event.currentTarget);
  const focused = boxes.find((box) => box.closest('li')?.contains(target));
  if (!focused || target.matches('input:not([type=checkbox]), textarea')) return;
  const listed = boxes.map(idOf);
  if (isPressed(LIST_KEYS.select, event) && !isIgnoredShortcut(event.nativeEvent)) {
    toggleSelected(idOf(focused), listed);
    return;
  }
  if (isPressed(LIST_KEYS.selectPage, event)) {
    event.preventDefault();
    selectPage(listed);
    return;
  }
  const isExtending = isPressed(LIST_KEYS.extend, event) && !target.closest('[role=tablist]');
  const move = isExtending ? ARROW_MOVES[event.key] : undefined;
  if (!move) return;
  const items = boxes.map((box) => box.closest('li'));
  const next = boxes[boxes.indexOf(focused) + move(countColumns(items))];
  if (next) {
    selectTo(idOf(focused), listed);
    selectTo(idOf(next), listed);
    next.focus();
  }
  event.preventDefault();
}

/** Returns the number of items in the first row of the grid. */
export function countColumns(items: readonly (Element | null)[]): number {
  const tops = items.map((item) => item?.getBoundingClientRect().top);
  return tops.filter((top) => top === tops[0]).length;
}
