import { diffArrays } from 'diff';
import { commonAnchors } from './common-anchors.ts';

/** So many words were taken away here, and so many put in their place. An unchanged stretch has as many of both. */
export interface Change {
  removed: number;
  added: number;
}

/** Between two anchors a comparison costs the square of this; a stretch that differs more was written anew. */
const MOST_EDITS = 200;
const SAME: Change = { removed: 1, added: 1 };

/**
 * How one list of words became another. Letter case and punctuation do not make another word, so that a full stop more does not break
 * a stretch. Stretches without much in common are one change, but for what they begin and end with.
 */
export function wordChanges(before: readonly string[], after: readonly string[]): Change[] {
  const old = before.map(bare);
  const edited = after.map(bare);
  const changes: Change[] = [];
  let from = { before: 0, after: 0 };
  for (const anchor of [...commonAnchors(old, edited), { before: old.length, after: edited.length }]) {
    changes.push(...compared(old.slice(from.before, anchor.before), edited.slice(from.after, anchor.after)));
    if (anchor.before < old.length) changes.push(SAME);
    from = { before: anchor.before + 1, after: anchor.after + 1 };
  }
  return changes;
}

function compared(old: readonly string[], edited: readonly string[]): Change[] {
  if (old.length === 0 && edited.length === 0) return [];
  const parts = diffArrays([...old], [...edited], { maxEditLength: MOST_EDITS });
  if (!parts) return endsKept(old, edited);
  const changes: Change[] = [];
  let open: Change | null = null;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      // Word by word: each keeps its own place.
      for (let word = 0; word < count; word += 1) changes.push(SAME);
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
  return [
    ...Array.from({ length: start }, () => SAME),
    { removed: old.length - start - end, added: edited.length - start - end },
    ...Array.from({ length: end }, () => SAME),
  ];
}

/** The letters and digits of a word; a word without any is itself. */
const bare = (word: string) => {
  const lower = word.toLowerCase();
  // Nearly all words: what costs is looking for what is not there.
  return /^[a-z0-9]+$/.test(lower) ? lower : lower.replace(/[^\p{L}\p{N}]/gu, '') || word;
};
