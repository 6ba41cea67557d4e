/** A word that both lists have, by its place in each. */
export interface Anchor {
  before: number;
  after: number;
}

/**
 * The words that stand once in each of two lists and in the same order in both: where a long text that was corrected here and there
 * surely is the same. They cut one large comparison into many small ones, in the time of a sort (Bram Cohen's "patience diff").
 */
export function commonAnchors(before: readonly string[], after: readonly string[]): Anchor[] {
  const placesBefore = placesOfUnique(before);
  const shared = [...placesOfUnique(after)].flatMap(([word, place]): Anchor[] => {
    const there = placesBefore.get(word);
    return there === undefined ? [] : [{ before: there, after: place }];
  });
  return longestRise(shared);
}

/** In the order of the list. */
function placesOfUnique(words: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const again = new Set<string>();
  for (const [place, word] of words.entries()) {
    if (places.has(word)) again.add(word);
    else places.set(word, place);
  }
  for (const word of again) places.delete(word);
  return places;
}

interface Pile {
  anchor: Anchor;
  /** What lay on top of the pile to the left when this was laid down. */
  left: Pile | undefined;
}

/** Of anchors in the order of `after`, the most that are in the order of `before` too. */
function longestRise(anchors: readonly Anchor[]): Anchor[] {
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
  const rise: Anchor[] = [];
  for (let pile = tops.at(-1); pile; pile = pile.left) rise.push(pile.anchor);
  return rise.reverse();
}
