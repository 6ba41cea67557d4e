/** By what a candidate is recognised in what the system has written about others and itself. */
export interface Traces {
  /** Ids of the candidate's interviews. */
  ids: readonly string[];
  /** Names, addresses, phone numbers, file names and web addresses, wherever they stand. */
  texts: readonly string[];
}

/** A shorter one would be found in what has nothing to do with the candidate. */
const SHORTEST = 3;

/** Ids are distinctive only when they are long; short ones are recognised where an id has to stand. */
const SHORTEST_ID = 6;

/** All that is looked for in running text, the longest first: an address is replaced before the name in it. */
export const searchedTexts = ({ ids, texts }: Traces): string[] =>
  [
    ...new Set([
      ...texts.map((text) => text.trim()).filter((text) => text.length >= SHORTEST),
      ...ids.filter((id) => id.length >= SHORTEST_ID),
    ]),
  ].sort((a, b) => b.length - a.length);

/** Finds a text as a whole, not inside of a longer word. */
export const wholeText = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'giu');
