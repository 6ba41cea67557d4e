import { diffArrays } from 'diff';

/** So many words were taken away here, and so many put in their place. An unchanged stretch has as many of both. */
export interface Change {
  removed: number;
  added: number;
}

/** A comparison costs the square of this; a text that differs more was written anew, and no word of it says where it belongs. */
const MOST_EDITS = 1_500;

/**
 * How one list of words became another. Letter case and punctuation do not make another word, so that a full stop more does not break
 * a stretch. Lists without much in common are one change, but for what they begin and end with.
 */
export function wordChanges(before: readonly string[], after: readonly string[]): Change[] {
  const old = before.map(bare);
  const edited = after.map(bare);
  const compared = diffArrays(old, edited, { maxEditLength: MOST_EDITS });
  if (!compared) return endsKept(old, edited);
  const changes: Change[] = [];
  let open: Change | null = null;
  for (const { added, removed, count } of compared) {
    if (!added && !removed) {
      // Word by word: each keeps its own place.
      for (let word = 0; word < count; word += 1) changes.push({ removed: 1, added: 1 });
      open = null;
      continue;
    }
    if (!open) {
      open = { removed: 0, added: 0 };
      changes.push(open);
    }
    if (added) open.added += count;
    else open.removed += count;
  }
  return changes;
}

function endsKept(old: readonly string[], edited: readonly string[]): Change[] {
  const shorter = Math.min(old.length, edited.length);
  let start = 0;
  while (start < shorter && old[start] === edited[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === edited[edited.length - 1 - end]) end += 1;
  const same: Change = { removed: 1, added: 1 };
  return [
    ...Array.from({ length: start }, () => same),
    { removed: old.length - start - end, added: edited.length - start - end },
    ...Array.from({ length: end }, () => same),
  ];
}

/** The letters and digits of a word; a word without any is itself. */
const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || word;
