import { createRequire } from 'node:module';
import type { Bow, ItsFunction } from 'wink-nlp';
import type { BM25Vectorizer, BM25VectorizerConfig } from 'wink-nlp/utilities/bm25-vectorizer';
import type { HeardSentence } from './heard-sentences.ts';
import { its } from './words.ts';

// Its types know it without `.js`, which `import` needs and `require` doesn't.
const bm25Vectorizer: (config: BM25VectorizerConfig) => BM25Vectorizer = createRequire(import.meta.url)(
  'wink-nlp/utilities/bm25-vectorizer',
);

/** Fewer words of meaning make a sentence that says little by itself. */
const FEWEST_STEMS = 4;
/** So alike, two sentences say the same (cosine of their weights). */
const TOO_ALIKE = 0.6;

/**
 * The sentences that stand for the whole best, in the order in which they were said: those whose BM25 weights lie nearest to the sum
 * over all of them. Of sentences that say the same, only one.
 */
export function keySentences(sentences: readonly HeardSentence[], most: number): HeardSentence[] {
  const full = sentences.filter(({ stems }) => stems.length >= FEWEST_STEMS);
  // Somebody of few words is heard in full.
  if (full.length <= most) return (full.length > 0 ? full : sentences).slice(0, most);
  const weights = weightsOf(full);
  const centre = sumOf(weights);
  const ranked = full
    .map((sentence, index) => ({ sentence, index, weights: weights[index] ?? {} }))
    .map((entry) => ({ ...entry, score: product(entry.weights, centre) }))
    .sort((a, b) => b.score - a.score);

  const chosen: typeof ranked = [];
  for (const entry of ranked) {
    if (chosen.length === most) break;
    if (chosen.every((other) => product(entry.weights, other.weights) < TOO_ALIKE)) chosen.push(entry);
  }
  return chosen.sort((a, b) => a.index - b.index).map(({ sentence }) => sentence);
}

/** Of each sentence, its stems with their weights; as vectors, of length 1. */
function weightsOf(sentences: readonly HeardSentence[]): Bow[] {
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

function product(a: Bow, b: Bow): number {
  let sum = 0;
  for (const [stem, value] of Object.entries(a)) sum += value * (b[stem] ?? 0);
  return sum;
}
