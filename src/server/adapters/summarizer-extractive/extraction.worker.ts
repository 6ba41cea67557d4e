import { parentPort, workerData } from 'node:worker_threads';
import type { SummaryStructure } from '#contracts/summaries.ts';
import type { SummaryRequest } from '#server/ports/summarizer.ts';
import { judgeExpectation } from './judge-expectation.ts';
import { keySentences } from './rank-sentences.ts';
import { stemmedSentences } from './sentences.ts';

/** Explains the verdicts, which also count "I never used React" as a match for React. */
const PREFACE = 'Automatic excerpt, no AI model connected. Verdicts count matching keywords only.';
const OVERVIEW_SENTENCES = 5;

/** Summarizes an interview with its own sentences. */
function extractSummary({ transcript, expectations }: SummaryRequest): SummaryStructure {
  const sentences = stemmedSentences(transcript);
  const overview = keySentences(sentences, OVERVIEW_SENTENCES).map(({ text }) => text);
  const judgements = expectations.map((expectation) => judgeExpectation(expectation, sentences));
  return {
    method: 'extractive',
    overview: [PREFACE, overview.join(' ')].filter(Boolean).join('\n\n'),
    expectations: judgements.map(({ result }) => result),
    openQuestions: judgements.flatMap(({ question }) => question ?? []),
  };
}

parentPort?.postMessage(extractSummary(workerData));
