import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Facts about the pages of a list that were read so far. Stored in the cursor of the list. */
export const ListProgress = z.object({
  rows: z.int().nonnegative().default(0),
  /** The ids of a page that later pages are compared with, as a hash. */
  mark: z.string().nullable().default(null),
  /** Pages since the marked one. */
  steps: z.int().nonnegative().default(0),
  /** The number of `steps` after which another page is marked. */
  stepsToMark: z.int().positive().default(1),
});
export type ListProgress = z.infer<typeof ListProgress>;
export const LIST_START: ListProgress = { rows: 0, mark: null, steps: 0, stepsToMark: 1 };

interface ReadPage {
  /** The id of each row; undefined when a row has none. */
  ids: readonly unknown[];
  /** The number of rows that the service has promised. Null when it is unknown. */
  total: number | null;
  pageSize: number;
}

/**
 * Returns the progress after a page that is not empty. Returns null when the list does not end: its
 * pages repeat, however many there are (Brent's algorithm), or it is longer than twice its promised
 * total and a page.
 */
export function addPage(before: ListProgress, { ids, total, pageSize }: ReadPage): ListProgress | null {
  const rows = before.rows + ids.length;
  if (total !== null && rows > 2 * total + pageSize) return null;
  const page = createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 32);
  if (page === before.mark) return null;
  const steps = before.steps + 1;
  if (steps < before.stepsToMark) return { ...before, rows, steps };
  return { rows, mark: page, steps: 0, stepsToMark: before.stepsToMark * 2 };
}
