import { z } from 'zod';
import type { ChatRequest } from './chat-request.ts';

const Passage = z.object({ passage: z.number(), text: z.string() });
const PartSummary = z.object({ overview: z.string(), openQuestions: z.array(z.string()) });
const Expectation = z.object({ number: z.number(), expectation: z.string() });
const Interview = z.object({ title: z.string(), questions: z.array(z.string()) });

export type PromptPassage = z.infer<typeof Passage>;
export type PromptExpectation = z.infer<typeof Expectation>;

/** A request of the product: to judge a transcript, or to combine the summaries of its parts. */
export type Prompt = { title: string; questions: string[]; expectations: PromptExpectation[] } & (
  | { passages: PromptPassage[] }
  | { parts: z.infer<typeof PartSummary>[] }
);

/** Reads the prompt from the text alone, as a model does. Returns null for any other request. */
export function readPrompt({ messages }: ChatRequest): Prompt | null {
  const text = messages.find(({ role }) => role === 'user')?.content ?? '';
  try {
    const { title, questions } = Interview.parse(JSON.parse(/^Interview: (.*)$/m.exec(text)?.[1] ?? ''));
    const expectations = z.array(Expectation).parse(JSON.parse(/^Expectations: (.*)$/m.exec(text)?.[1] ?? ''));
    const transcript = linesBetween(text, 'transcript');
    if (transcript) return { title, questions, expectations, passages: z.array(Passage).parse(transcript) };
    const summaries = linesBetween(text, 'summaries');
    return summaries && { title, questions, expectations, parts: z.array(PartSummary).parse(summaries) };
  } catch {
    return null;
  }
}

/** Parses each line between `<name-…>` and `</name-…>`. */
function linesBetween(text: string, name: string): unknown[] | null {
  const block = new RegExp(`^<(${name}-\\w+)>\\n([\\s\\S]*?)\\n</\\1>`, 'm').exec(text)?.[2];
  return block === undefined ? null : block.split('\n').map((line) => JSON.parse(line));
}
