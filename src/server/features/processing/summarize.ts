import type { Question } from '#contracts/interviews.ts';
import { plainText } from '#contracts/rules/plain-text.ts';
import { renderCutSummary } from '#contracts/rules/render-summary.ts';
import { EXPECTATION_FIELDS, type SummaryStructure } from '#contracts/summaries.ts';
import type { Database } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Summarizer } from '#server/ports/summarizer.ts';
import { findTexts, updateTexts } from './interview-texts.repo.ts';
import { StepError, type StepWork } from './step-outcome.ts';
import { passagesOf } from './summary/passages.ts';
import { verifyQuotes } from './summary/verify-quotes.ts';

/** The message for users when no service for summaries is configured. */
export const NO_SUMMARIZER =
  "Summaries aren't set up. Ask an admin to set SUMMARY_URL (plus SUMMARY_API_KEY and SUMMARY_MODEL if needed) and restart the server. docs/OPERATING.md shows how to run a language model on your own machine.";

export interface SummarizeDeps {
  db: Database;
  funnels: Funnels;
  summarizer: Summarizer | null;
}

/**
 * Summarizes the transcript against the funnel's expectations. Its quotes occur in the transcript
 * word for word.
 */
export const summarize =
  (deps: SummarizeDeps): StepWork =>
  async ({ run, signal }) => {
    if (!deps.summarizer) throw new StepError(NO_SUMMARIZER);
    const texts = await findTexts(deps.db, run.interviewId);
    const funnel = texts && (await deps.funnels.find(deps.db, texts.funnel_id));
    if (!texts?.transcription_text || !funnel) throw new StepError('This interview has no transcript to summarize.');

    const passages = passagesOf(texts.transcription_text, texts.segments);
    const proposed = await deps.summarizer.summarize(
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
    const structure = { ...verifyQuotes(proposed, passages), answers: answersOf(proposed, texts.questions) };
    return {
      status: 'done',
      async store(tx) {
        const current = await findTexts(tx, run.interviewId);
        // Staff edited the transcript in the meantime: summarize it again.
        if (current?.transcription_text !== texts.transcription_text) return false;
        await updateTexts(tx, run.interviewId, {
          summary_text: renderCutSummary(structure),
          summary_structure: structure,
        });
        return true;
      },
    };
  };

/** The summarizer numbers the questions; positions come from the interview service. */
const answersOf = ({ answers = [] }: SummaryStructure, questions: readonly Question[]) =>
  answers.flatMap(({ position: index, startSeconds }) => {
    const question = questions[index];
    return question ? [{ position: question.position, startSeconds }] : [];
  });
