import { SENTENCE_END } from '#contracts/rules/sentence-end.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { type Change, wordChanges } from './word-changes.ts';

/** A word of the old text, and the number of the segment in which it stands. */
interface OldWord {
  word: string;
  segment: number;
}

/**
 * The segments with the words that staff have made of them. Words that stayed keep their segment; words put in place of others are
 * spread over the segments of those; words put in between join the neighbour whose sentence they belong to. Segments without words
 * left vanish. The words of the result are those of `editedText`, in its order.
 */
export function retime(segments: readonly TranscriptSegment[], editedText: string): TranscriptSegment[] {
  const old = segments.flatMap(({ text }, segment) => wordsOf(text).map((word): OldWord => ({ word, segment })));
  const edited = wordsOf(editedText);
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

/** For each word of a change the segment that takes it. */
function placesOf({ added: count }: Change, added: readonly string[], { before, within, after }: Surroundings) {
  if (within.length > 0) return (nth: number) => within[Math.floor((nth * within.length) / count)]?.segment ?? 0;
  // Between two segments: what ends a sentence ends the one before, what does not begins the one after.
  const joinsBefore = before && (!after || SENTENCE_END.test(added.at(-1) ?? '') || !SENTENCE_END.test(before.word));
  const segment = (joinsBefore ? before : after)?.segment ?? 0;
  return () => segment;
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);
