import { plainText } from '#contracts/rules/plain-text.ts';
import { EXPECTATION_FIELDS } from '#contracts/summaries.ts';
import type { Database } from '../../db/database.ts';
import type { Summarizer } from '../../ports/summarizer.ts';
import type { Funnels } from '../funnels/funnels.service.ts';
import { StepFailed, StepWaits } from './step-ended.ts';
import type { StepWork } from './step-worker.ts';
import { passagesOf } from './summary/passages.ts';
import { renderSummary } from './summary/render-summary.ts';
import { verifyQuotes } from './summary/verify-quotes.ts';
import { readTexts, storeSummary } from './texts.repo.ts';

export interface SummarizeDependencies {
  db: Database;
  funnels: Funnels;
  summarizer: Summarizer;
}

/** Sums the transcript up against what the funnel expects. What it quotes is in the transcript, word for word. */
export const summarize =
  (on: SummarizeDependencies): StepWork =>
  async ({ run, signal }) => {
    const texts = await readTexts(on.db, run.interviewId);
    const funnel = texts && (await on.funnels.find(on.db, texts.funnel_id));
    if (!texts?.transcription_text || !funnel) throw new StepFailed('This interview has no transcript to summarize.');

    const passages = passagesOf(texts.transcription_text, texts.segments);
    const proposed = await on.summarizer.summarize(
      {
        title: texts.title,
        questions: texts.questions.map(({ question }) => plainText(question)),
        jobDescription: funnel.description,
        expectations: EXPECTATION_FIELDS.flatMap((field) => {
          const expectation = funnel[field]?.trim();
          return expectation ? [{ field, expectation }] : [];
        }),
        transcript: passages,
      },
      signal,
    );
    const structure = verifyQuotes(proposed, passages);
    return {
      async store(tx) {
        // Somebody has corrected it meanwhile: what was said is now something else, so sum that up.
        if ((await readTexts(tx, run.interviewId))?.transcription_text !== texts.transcription_text)
          throw new StepWaits(0);
        await storeSummary(tx, run.interviewId, renderSummary(structure), structure);
      },
    };
  };
