interface Named {
  id: number;
  username: string;
}

/**
 * Returns the ids of accounts that a text mentions as `@name`, ignoring case. If several names
 * match, the longest one counts: `@ann.smith` is not `@ann`.
 */
export function findMentions(text: string, accounts: readonly Named[]): number[] {
  const byLength = accounts.toSorted((a, b) => b.username.length - a.username.length);
  const lower = text.toLowerCase();
  const found = new Set<number>();
  for (let at = lower.indexOf('@'); at >= 0; at = lower.indexOf('@', at + 1)) {
    if (isWordAt(lower, at - 1)) continue;
    const named = byLength.find(({ username }) => isNameAt(lower, at + 1, username.toLowerCase()));
    if (named) found.add(named.id);
  }
  return [...found];
}

export interface BegunMention {
  /** The index of the `@`. */
  at: number;
  /** The names that complete it. */
  names: string[];
}

/** The unfinished mention before the caret; null if it is not the prefix of a name. */
export function findBegunMention(text: string, caret: number, usernames: readonly string[]): BegunMention | null {
  const first = caret - 1 - Math.max(0, ...usernames.map((username) => username.length));
  // A name can contain an `@`, as email addresses do.
  for (let at = caret - 1; at >= Math.max(0, first); at--) {
    if (text[at] !== '@' || isWordAt(text, at - 1)) continue;
    const begun = text.slice(at + 1, caret).toLowerCase();
    const names = usernames.filter((username) => username.toLowerCase().startsWith(begun));
    if (names.length > 0) return { at, names };
  }
  return null;
}

const isNameAt = (text: string, at: number, name: string) =>
  text.startsWith(name, at) && !isWordAt(text, at + name.length);

const isWordAt = (text: string, at: number) => /[\p{L}\p{N}_]/u.test(text.charAt(at));
