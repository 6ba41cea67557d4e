import { createRequire } from 'node:module';
import type { Bow, ItsFunction } from 'wink-nlp';
import type { BM25Vectorizer, BM25VectorizerConfig } from 'wink-nlp/utilities/bm25-vectorizer';
import type { StemmedSentence } from './sentences.ts';
import { its } from './words.ts';

// The type declarations name this path without the `.js` that `import` requires, so it is loaded
// with `require`.
const bm25Vectorizer: (config: BM25VectorizerConfig) => BM25Vectorizer = createRequire(import.meta.url)(
  'wink-nlp/utilities/bm25-vectorizer',
);

/** A sentence with fewer meaningful words is not a summary. */
const MIN_STEMS = 4;
/** Sentences above this cosine similarity of their weights count as equal. */
const MAX_SIMILARITY = 0.6;

/**
 * Selects the most representative sentences, in their original order: those whose BM25 weights are
 * nearest to the sum of all weights. Similar sentences are selected only once.
 */
export function keySentences(sentences: readonly StemmedSentence[], max: number): StemmedSentence[] {
  const full = sentences.filter(({ stems }) => stems.length >= MIN_STEMS);
  // A short transcript is used as a whole.
  if (full.length <= max) return (full.length > 0 ? full : sentences).slice(0, max);
  const weights = weightsOf(full);
  const center = sumOf(weights);
  const ranked = full
    .map((sentence, index) => ({ sentence, index, weights: weights[index] ?? {} }))
    .map((entry) => ({ ...entry, score: dotProduct(entry.weights, center) }))
    .sort((a, b) => b.score - a.score);

  const chosen: typeof ranked = [];
  for (const entry of ranked) {
    if (chosen.length === max) break;
    if (chosen.every((other) => dotProduct(entry.weights, other.weights) < MAX_SIMILARITY)) chosen.push(entry);
  }
  return chosen.sort((a, b) => a.index - b.index).map(({ sentence }) => sentence);
}

/** The weights of each sentence's stems, as a vector of length 1. */
function weightsOf(sentences: readonly StemmedSentence[]): Bow[] {
  const vectorizer = bm25Vectorizer({ k1: 1.2, b: 0.75, k: 1, norm: 'l2' });
  for (const { stems } of sentences) vectorizer.learn([...stems]);
  return sentences.map(
    (_, index) => vectorizer.doc(index).out(its.bow as unknown as ItsFunction<Bow>) as unknown as Bow,
  );
}

function sumOf(weights: readonly Bow[]): Bow {
  const sum: Bow = Object.create(null);
  for (const weight of weights)
    for (const [stem, value] of Object.entries(weight)) sum[stem] = (sum[stem] ?? 0) + value;
  return sum;
}

function dotProduct(a: Bow, b: Bow): number {
  let sum = 0;
  for (const [stem, value] of Object.entries(a)) sum += value * (b[stem] ?? 0);
  return sum;
}
