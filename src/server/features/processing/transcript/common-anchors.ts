/** The positions of a word in both lists. */
export interface Anchor {
  before: number;
  after: number;
}

/**
 * Finds the words that occur exactly once in each list, in the same order in both. They split one
 * large comparison into many small ones, in O(n log n) (Bram Cohen's "patience diff").
 */
export function commonAnchors(before: readonly string[], after: readonly string[]): Anchor[] {
  const placesBefore = placesOfUnique(before);
  const shared = [...placesOfUnique(after)].flatMap(([word, place]): Anchor[] => {
    const there = placesBefore.get(word);
    return there === undefined ? [] : [{ before: there, after: place }];
  });
  return longestIncreasing(shared);
}

/** The positions of the words that occur once, in the order of the list. */
function placesOfUnique(words: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [place, word] of words.entries()) {
    if (places.has(word)) repeated.add(word);
    else places.set(word, place);
  }
  for (const word of repeated) places.delete(word);
  return places;
}

interface Pile {
  anchor: Anchor;
  /** The top of the pile to the left when this anchor was added. */
  left: Pile | undefined;
}

/** The longest subsequence that is also ordered by `before`; the anchors are ordered by `after`. */
function longestIncreasing(anchors: readonly Anchor[]): Anchor[] {
  const tops: Pile[] = [];
  for (const anchor of anchors) {
    let low = 0;
    for (let high = tops.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((tops[middle] as Pile).anchor.before < anchor.before) low = middle + 1;
      else high = middle;
    }
    tops[low] = { anchor, left: tops[low - 1] };
  }
  const increasing: Anchor[] = [];
  for (let pile = tops.at(-1); pile; pile = pile.left) increasing.push(pile.anchor);
  return increasing.reverse();
}
