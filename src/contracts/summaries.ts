import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewPath, TextVersion } from './fields.ts';
import { MAX_TEXT_LENGTH } from './rules/limits.ts';

/** The fields of a funnel that a summary judges, in the order of display. */
export const EXPECTATION_FIELDS = [
  'skills',
  'professionalExpectations',
  'skillExpectations',
  'educationExpectations',
  'cultureExpectations',
] as const;
export type ExpectationField = (typeof EXPECTATION_FIELDS)[number];
export const EXPECTATION_LABELS: Record<ExpectationField, string> = {
  skills: 'Skills',
  professionalExpectations: 'Professional Expectations',
  skillExpectations: 'Skill Expectations',
  educationExpectations: 'Education Expectations',
  cultureExpectations: 'Culture Expectations',
};

export const VERDICTS = ['met', 'partly', 'not shown'] as const;
export type Verdict = (typeof VERDICTS)[number];
export const VERDICT_LABELS: Record<Verdict, string> = {
  met: 'Met',
  partly: 'Partly met',
  'not shown': 'Not mentioned',
};

/** Verbatim from the transcript. `startSeconds` is null when the transcript has no times. */
export const SummaryQuote = z.object({ text: z.string(), startSeconds: z.number().nonnegative().nullable() });
export type SummaryQuote = z.infer<typeof SummaryQuote>;

export const SummaryStructure = z.object({
  /**
   * `model`: written by a language model. `extractive`: sentences of the transcript, which former
   * releases picked without one.
   */
  method: z.enum(['model', 'extractive']),
  overview: z.string(),
  expectations: z.array(
    z.object({
      field: z.enum(EXPECTATION_FIELDS),
      /** The funnel's text when the summary was generated. */
      expectation: z.string(),
      verdict: z.enum(VERDICTS),
      /** The reason, one sentence. */
      note: z.string().nullable(),
      quotes: z.array(SummaryQuote),
    }),
  ),
  /** Questions for the candidate that the interview leaves open. */
  openQuestions: z.array(z.string()),
  /**
   * Where the answers to the questions of the interview start. Missing in summaries of earlier
   * releases, and of methods that do not determine it.
   */
  answers: z.array(z.object({ position: z.int(), startSeconds: z.number().nonnegative() })).optional(),
});
export type SummaryStructure = z.infer<typeof SummaryStructure>;

/** PostgreSQL stores neither NUL characters nor halves of surrogate pairs in JSON. */
const editedString = z
  .string()
  .max(MAX_TEXT_LENGTH)
  .regex(/^[^\0]*$/, 'must not contain NUL characters')
  .overwrite((text) => text.toWellFormed());

/** A structure as staff save it. */
export const EditedSummary = SummaryStructure.extend({
  overview: editedString.refine((text) => text.trim() !== '', { error: 'Summary text cannot be empty' }),
  expectations: z.array(
    SummaryStructure.shape.expectations.element.extend({
      expectation: editedString,
      note: editedString.nullable(),
      quotes: z.array(SummaryQuote.extend({ text: editedString.min(1) })),
    }),
  ),
  openQuestions: z.array(editedString.min(1)),
});

/**
 * Not in the specification. `structure` is null for a text that staff wrote or edited as a whole.
 */
export const getSummary = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/summary',
  summary: 'The summary of an interview, with its structure',
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: z.object({
    summaryText: z.string().nullable(),
    version: TextVersion,
    structure: SummaryStructure.nullable(),
  }),
});
