import type { SummaryStructure } from '#contracts/summaries.ts';
import type { SummaryRequest } from '#server/ports/summarizer.ts';
import { heardSentences } from './heard-sentences.ts';
import { judgeExpectation } from './judge-expectation.ts';
import { keySentences } from './rank-sentences.ts';

/** Says what this is, and what a verdict of it is worth: who says "I never used React" was heard saying React. */
const PREFACE =
  'Extractive summary: sentences of the transcript, chosen by this machine. A verdict only says how many of the words asked for were heard.';
const OVERVIEW_SENTENCES = 5;

/** Sums an interview up with its own sentences. */
export function extractSummary({ transcript, expectations }: SummaryRequest): SummaryStructure {
  const sentences = heardSentences(transcript);
  const overview = keySentences(sentences, OVERVIEW_SENTENCES).map(({ text }) => text);
  const judgements = expectations.map((expectation) => judgeExpectation(expectation, sentences));
  return {
    method: 'extractive',
    overview: [PREFACE, overview.join(' ')].filter(Boolean).join('\n\n'),
    expectations: judgements.map(({ judged }) => judged),
    openQuestions: judgements.flatMap(({ question }) => question ?? []),
  };
}
