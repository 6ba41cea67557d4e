/** What the server takes at most (contracts/fields.ts): a link with more must not end in an error. */
const LAST_PAGE = 100_000_000;

/** The number of a page as it stands in a link; the first one when it is none. */
export function parsePage(param: string | null): number {
  const page = Number(param);
  return Number.isSafeInteger(page) && page > 0 && page <= LAST_PAGE ? page : 1;
}
