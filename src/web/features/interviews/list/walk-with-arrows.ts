import type { KeyboardEvent } from 'react';

const STEPS: Record<string, (columns: number) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
};

/** From the focused play button to its neighbour, as they lie on the screen. */
export function walkWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const here = (event.target as HTMLElement).closest<HTMLElement>('[data-play]');
  if (!step || !here) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-play]')];
  const top = buttons[0]?.getBoundingClientRect().top;
  const columns = buttons.filter((button) => button.getBoundingClientRect().top === top).length;
  const next = buttons[buttons.indexOf(here) + step(columns)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
