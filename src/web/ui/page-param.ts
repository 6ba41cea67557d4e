import { LAST_PAGE } from '#contracts/rules/limits.ts';

/** The number of a page as it stands in a link; the first one when it is none, or one that the server does not take. */
export function parsePage(param: string | null): number {
  const page = Number(param);
  return Number.isSafeInteger(page) && page > 0 && page <= LAST_PAGE ? page : 1;
}
