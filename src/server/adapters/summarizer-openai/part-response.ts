import { z } from 'zod';
import { VERDICTS, type Verdict } from '#contracts/summaries.ts';
import { cleanText } from '#server/adapters/outside-http/clean-text.ts';

/** The requested response about a part of the transcript. */
export const PART_SCHEMA = z.toJSONSchema(
  z.strictObject({
    overview: z.string(),
    expectations: z.array(
      z.strictObject({
        number: z.number(),
        verdict: z.enum(VERDICTS),
        note: z.string(),
        quotes: z.array(z.strictObject({ text: z.string(), passage: z.number() })),
      }),
    ),
    openQuestions: z.array(z.string()),
    answers: z.array(z.strictObject({ question: z.number(), passage: z.number() })),
  }),
);

/** The requested response about the summaries of the parts. */
export const WHOLE_SCHEMA = z.toJSONSchema(
  z.strictObject({ overview: z.string(), openQuestions: z.array(z.string()) }),
);

const MAX_OVERVIEW = 6_000;
const MAX_LINE = 1_000;
const MAX_QUESTIONS = 12;
const MAX_QUOTES = 10;
const MAX_ANSWERS = 100;

const line = z.string().transform((text) => cleanText(text.replace(/\s+/g, ' '), MAX_LINE));
const overview = z
  .string()
  .transform((text) => cleanText(text, MAX_OVERVIEW) ?? '')
  .refine((text) => text !== '', 'is empty');
const openQuestions = z
  .array(line)
  .nullish()
  .transform((lines) => (lines ?? []).filter((text) => text !== null).slice(0, MAX_QUESTIONS));

/** Accepts the spellings of models that do not support a schema. */
const verdict = z.preprocess((value) => {
  const word = String(value)
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
  if (/^part(ly|ial|ially)( met)?$/.test(word)) return 'partly';
  return word === 'not met' ? 'not shown' : word;
}, z.enum(VERDICTS));

const quote = z.preprocess(
  (value) => (typeof value === 'string' ? { text: value } : value),
  z.object({ text: line, passage: z.coerce.number().int().nullable().catch(null) }),
);

/** Unreadable chapters are left out, so that they do not reject the summary. */
const AnsweredQuestion = z.object({ question: z.coerce.number().int(), passage: z.coerce.number().int() });
const answers = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.slice(0, MAX_ANSWERS).flatMap((one) => AnsweredQuestion.safeParse(one).data ?? []));

const Judgement = z.object({
  number: z.coerce.number().int(),
  verdict,
  note: line.nullish().transform((text) => text ?? null),
  quotes: z.array(quote).nullish(),
});

export interface JudgedExpectation {
  verdict: Verdict;
  note: string | null;
  quotes: { text: string; passage: number | null }[];
}

export interface PartResponse {
  overview: string;
  /** One for each expectation of the request, in the same order. */
  expectations: JudgedExpectation[];
  openQuestions: string[];
  /** Numbers from 1. */
  answers: { question: number; passage: number }[];
}

/**
 * Reads a response to `PART_SCHEMA` as tolerantly as possible, and keeps only the requested
 * expectations.
 */
export const partResponse = (expected: number) =>
  z
    .object({ overview, expectations: z.array(Judgement).default([]), openQuestions, answers })
    .transform((response, context): PartResponse => {
      const expectations = Array.from({ length: expected }, (_, index) => {
        const found = response.expectations.find(({ number }) => number === index + 1);
        if (!found) context.addIssue(`expectations: number ${index + 1} is missing`);
        return judged(found);
      });
      return { ...response, expectations };
    });

export const WholeResponse = z.object({ overview, openQuestions });
export type WholeResponse = z.infer<typeof WholeResponse>;

function judged(found: z.infer<typeof Judgement> | undefined): JudgedExpectation {
  const quotes = (found?.quotes ?? []).flatMap(({ text, passage }) => (text === null ? [] : [{ text, passage }]));
  return {
    verdict: found?.verdict ?? 'not shown',
    note: found?.note ?? null,
    quotes: quotes.slice(0, MAX_QUOTES),
  };
}
