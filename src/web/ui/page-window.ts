const WINDOW = 5;

/**
 * The page numbers to offer: five around the current one, the first and the last, and `gap` where some are left out.
 * A gap never stands for a single page: that page is shown instead.
 */
export function pageWindow(page: number, pages: number): (number | 'gap')[] {
  const first = Math.max(1, Math.min(page - Math.floor(WINDOW / 2), pages - WINDOW + 1));
  const last = Math.min(pages, first + WINDOW - 1);
  const middle = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return [...edge(1, first - 1), ...middle, ...edge(last + 1, pages).reverse()];
}

/** What stands between the window and one end of the pages: nothing, a page, two, or the end and a gap. */
function edge(from: number, to: number): (number | 'gap')[] {
  const atStart = from === 1;
  if (to < from) return [];
  if (to === from) return [from];
  if (to === from + 1) return atStart ? [from, to] : [to, from];
  return [atStart ? from : to, 'gap'];
}
