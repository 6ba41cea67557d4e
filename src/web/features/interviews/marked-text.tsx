/** Marks every occurrence of the words, ignoring case. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const wanted = words.filter((word) => word !== '').map((word) => word.toLowerCase());
  const lower = text.toLowerCase();
  // A letter that grows in lower case would shift the positions after it.
  if (wanted.length === 0 || lower.length !== text.length) return text;
  const parts = [];
  let from = 0;
  for (let found = nextWord(lower, wanted, from); found; found = nextWord(lower, wanted, from)) {
    parts.push(
      text.slice(from, found.at),
      <mark key={found.at} className="rounded-sm bg-mark text-ink">
        {text.slice(found.at, found.at + found.length)}
      </mark>,
    );
    from = found.at + found.length;
  }
  return [...parts, text.slice(from)];
}

/** The first word at or after `from`, the longest one of those that begin there. */
function nextWord(text: string, words: readonly string[], from: number): { at: number; length: number } | null {
  let first: { at: number; length: number } | null = null;
  for (const { length, at } of words.map((word) => ({ length: word.length, at: text.indexOf(word, from) })))
    if (at >= 0 && (!first || at < first.at || (at === first.at && length > first.length))) first = { at, length };
  return first;
}

export const wordsOf = (search: string): string[] => search.split(/\s+/u).filter(Boolean);
