import { diffArrays } from 'diff';
import { commonAnchors } from './common-anchors.ts';

/**
 * The numbers of words that were removed and added at one place. An unchanged word counts as both.
 */
export interface Change {
  removed: number;
  added: number;
}

/**
 * The most edits that a comparison looks for, because its cost is quadratic in them. Text with more
 * edits counts as replaced.
 */
const MAX_EDITS = 200;
const SAME: Change = { removed: 1, added: 1 };

/**
 * Compares two lists of words, ignoring case and punctuation. Texts with little in common become
 * one change, apart from a common beginning and end.
 */
export function wordChanges(before: readonly string[], after: readonly string[]): Change[] {
  const old = before.map(bare);
  const edited = after.map(bare);
  const changes: Change[] = [];
  let from = { before: 0, after: 0 };
  for (const anchor of [...commonAnchors(old, edited), { before: old.length, after: edited.length }]) {
    changes.push(...compareWords(old.slice(from.before, anchor.before), edited.slice(from.after, anchor.after)));
    if (anchor.before < old.length) changes.push(SAME);
    from = { before: anchor.before + 1, after: anchor.after + 1 };
  }
  return changes;
}

function compareWords(old: readonly string[], edited: readonly string[]): Change[] {
  if (old.length === 0 && edited.length === 0) return [];
  const parts = diffArrays([...old], [...edited], { maxEditLength: MAX_EDITS });
  if (!parts) return replaceMiddle(old, edited);
  const changes: Change[] = [];
  let open: Change | null = null;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      // One change per word, so that each word keeps its position.
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

function replaceMiddle(old: readonly string[], edited: readonly string[]): Change[] {
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

/** The letters and digits of a word, or the word itself when it has none. */
const bare = (word: string) => {
  const lower = word.toLowerCase();
  // A fast path for nearly all words.
  return /^[a-z0-9]+$/.test(lower) ? lower : lower.replace(/[^\p{L}\p{N}]/gu, '') || word;
};
