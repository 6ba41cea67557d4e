/**
 * The part of the page that an element belongs to. What opens beside the element is put there too: screen readers then find it
 * in its place, and a modal dialog counts it as its own.
 */
export const landmarkOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[role="dialog"], main, header') ?? null;
