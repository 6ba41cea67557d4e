import { MAX_PAGE } from '#contracts/rules/limits.ts';

const WINDOW = 5;

/**
 * The page numbers of a pager: five around the current one, the first and the last, and `gap` for
 * two or more omitted pages.
 */
export function pageWindow(page: number, pages: number): (number | 'gap')[] {
  const first = Math.max(1, Math.min(page - Math.floor(WINDOW / 2), pages - WINDOW + 1));
  const last = Math.min(pages, first + WINDOW - 1);
  const middle = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return [...edge(1, first - 1), ...middle, ...edge(last + 1, pages).reverse()];
}

/** The items between the window and one end: none, one page, two pages, or the end and a gap. */
function edge(from: number, to: number): (number | 'gap')[] {
  const atStart = from === 1;
  if (to < from) return [];
  if (to === from) return [from];
  if (to === from + 1) return atStart ? [from, to] : [to, from];
  return [atStart ? from : to, 'gap'];
}

/** Reads the page number of a link. Returns 1 for a number that the server does not accept. */
export function parsePage(param: string | null): number {
  const page = Number(param);
  return Number.isSafeInteger(page) && page > 0 && page <= MAX_PAGE ? page : 1;
}
