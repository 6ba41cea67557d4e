import type { Passage } from '#server/ports/summarizer.ts';

/** A passage and its place in the whole transcript, from 1 on: by this number the model says where a quote stands. */
export type NumberedPassage = Passage & { number: number };
export type TranscriptPart = readonly NumberedPassage[];

export const numbered = (transcript: readonly Passage[]): TranscriptPart =>
  transcript.map((passage, index) => ({ ...passage, number: index + 1 }));

export const sizeOf = (part: TranscriptPart): number => part.reduce((size, { text }) => size + text.length, 0);

/** Cuts between passages into parts of about equal size, none above `most` characters unless a single passage is. */
export function partsOf(transcript: TranscriptPart, most: number): TranscriptPart[] {
  const size = sizeOf(transcript);
  // Even parts: a short last one would be judged on almost nothing.
  const aim = size / Math.ceil(size / most);
  const parts: NumberedPassage[][] = [];
  let current: NumberedPassage[] = [];
  let length = 0;
  for (const passage of transcript) {
    const isFull = length >= aim || length + passage.text.length > most;
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
