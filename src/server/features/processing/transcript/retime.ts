import { SENTENCE_END } from '#contracts/rules/plain-text.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { type Change, wordChanges } from './word-changes.ts';

/** A word of the old text, and the index of its segment. */
interface OldWord {
  word: string;
  segment: number;
}

/**
 * Distributes the words of an edited text over the segments of the old one, in order. Unchanged
 * words keep their segment, replaced words are spread over the segments of the old words, and
 * inserted words join the neighbor whose sentence they belong to. Segments without words are
 * removed.
 */
export function retime(segments: readonly TranscriptSegment[], editedText: string): TranscriptSegment[] {
  const old = segments.flatMap(({ text }, segment) => splitWords(text).map((word): OldWord => ({ word, segment })));
  const edited = splitWords(editedText);
  if (old.length === 0) return [];
  const texts = segments.map((): string[] => []);
  let oldAt = 0;
  let newAt = 0;
  for (const change of wordChanges(
    old.map(({ word }) => word),
    edited,
  )) {
    const added = edited.slice(newAt, newAt + change.added);
    const places = placesOf(change, added, {
      before: old[oldAt - 1],
      within: old.slice(oldAt, oldAt + change.removed),
      after: old[oldAt + change.removed],
    });
    for (const [nth, word] of added.entries()) texts[places(nth)]?.push(word);
    oldAt += change.removed;
    newAt += change.added;
  }
  return segments
    .map((segment, nth) => ({ ...segment, text: (texts[nth] ?? []).join(' ') }))
    .filter(({ text }) => text !== '');
}

interface Surroundings {
  before: OldWord | undefined;
  within: readonly OldWord[];
  after: OldWord | undefined;
}

/** Returns a function from the index of an added word to its segment. */
function placesOf({ added: count }: Change, added: readonly string[], { before, within, after }: Surroundings) {
  if (within.length > 0) return (nth: number) => within[Math.floor((nth * within.length) / count)]?.segment ?? 0;
  // Between two segments, the end of a sentence joins the previous one, anything else the next one.
  const joinsBefore = before && (!after || SENTENCE_END.test(added.at(-1) ?? '') || !SENTENCE_END.test(before.word));
  const segment = (joinsBefore ? before : after)?.segment ?? 0;
  return () => segment;
}

const splitWords = (text: string) => text.split(/\s+/).filter(Boolean);
