import type { Passage } from '#server/ports/summarizer.ts';

/**
 * `number` counts from 1 over the whole transcript; the model refers to the passage of a quote by
 * it.
 */
export type NumberedPassage = Passage & { number: number };
export type TranscriptPart = readonly NumberedPassage[];

export const numbered = (transcript: readonly Passage[]): TranscriptPart =>
  transcript.map((passage, index) => ({ ...passage, number: index + 1 }));

export const sizeOf = (part: TranscriptPart): number => part.reduce((size, { text }) => size + text.length, 0);

/**
 * Cuts between passages into parts of about equal size and at most `maxCharacters`, except for a
 * longer passage.
 */
export function partsOf(transcript: TranscriptPart, maxCharacters: number): TranscriptPart[] {
  const size = sizeOf(transcript);
  // Even parts, because a short last one would contain too little to judge.
  const aim = size / Math.ceil(size / maxCharacters);
  const parts: NumberedPassage[][] = [];
  let current: NumberedPassage[] = [];
  let length = 0;
  for (const passage of transcript) {
    const isFull = length >= aim || length + passage.text.length > maxCharacters;
    if (current.length > 0 && isFull) {
      parts.push(current);
      current = [];
      length = 0;
    }
    current.push(passage);
    length += passage.text.length;
  }
  if (current.length > 0) parts.push(current);
  return parts;
}
