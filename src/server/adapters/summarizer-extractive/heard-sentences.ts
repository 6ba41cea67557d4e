import type { Passage } from '#server/ports/summarizer.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { wordsOf } from './words.ts';

/** A sentence with the stems of its words. */
export type HeardSentence = Sentence & { stems: readonly string[] };

export const heardSentences = (transcript: readonly Passage[]): HeardSentence[] =>
  sentencesOf(transcript).map((sentence) => ({ ...sentence, stems: wordsOf(sentence.text).map(({ stem }) => stem) }));
