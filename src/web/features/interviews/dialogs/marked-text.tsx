/** A text with every occurrence of the term marked, whatever its case. */
export function MarkedText({ text, term }: { text: string; term: string }) {
  if (term === '') return text;
  const wanted = term.toLowerCase();
  const lower = text.toLowerCase();
  // A letter whose lower case is longer would shift what follows.
  if (lower.length !== text.length) return text;
  const parts = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-sm bg-warning-soft text-inherit">
        {text.slice(at, at + term.length)}
      </mark>,
    );
    from = at + term.length;
  }
  return [...parts, text.slice(from)];
}
