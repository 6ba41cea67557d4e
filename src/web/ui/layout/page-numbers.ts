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
  const shown = [...new Set([1, ...middle, pages])];
  return shown.flatMap((number, index) => {
    const omitted = number - (shown[index - 1] ?? 0) - 1;
    if (omitted === 1) return [number - 1, number];
    return omitted > 1 ? ['gap' as const, number] : [number];
  });
}

/** Reads the page number of a link. Returns 1 for a number that the server does not accept. */
export function parsePage(param: string | null): number {
  const page = Number(param);
  return Number.isSafeInteger(page) && page > 0 && page <= MAX_PAGE ? page : 1;
}
