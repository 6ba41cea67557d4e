/** The URL that compares interviews. An id may contain a comma: then each has a parameter. */
export const compareUrl = (ids: readonly string[]): string =>
  ids.some((id) => id.includes(','))
    ? `/compare?${new URLSearchParams(ids.map((id) => ['ids', id]))}`
    : `/compare?ids=${ids.map(encodeURIComponent).join()}`;

/** Reads `ids=a,b,c` and `ids=a&ids=b&ids=c`. */
export function comparedIds(search: string): string[] {
  const [first = '', ...others] = new URLSearchParams(search).getAll('ids');
  return [...new Set(others.length > 0 ? [first, ...others] : first.split(','))].filter(Boolean);
}
