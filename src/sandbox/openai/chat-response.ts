import { SCRIPTS } from '#sandbox/media/scripts.ts';
import type { Prompt, PromptExpectation, PromptPassage } from './chat-prompt.ts';
import { WRITTEN_SUMMARIES, type WrittenSummary } from './written-summaries.ts';

export interface ChatQuote {
  text: string;
  passage: number;
}

/**
 * The response to a prompt of the product, about a transcript or about the summaries of its parts.
 */
export interface ChatResponse {
  overview: string;
  expectations?: { number: number; verdict: string; note: string; quotes: ChatQuote[] }[];
  openQuestions: string[];
  answers?: { question: number; passage: number }[];
}

const MAX_QUOTES = 2;
const MAX_QUESTIONS = 4;

/** Uses only the text of the prompt. */
export function responseTo(prompt: Prompt): ChatResponse {
  if ('parts' in prompt) return combine(prompt.parts);
  const judged = prompt.expectations.map((expectation) => judge(expectation, prompt.passages));
  const written = writtenFor(prompt.passages);
  const missed = judged.flatMap(({ missing }) => missing.slice(0, 1).map(question));
  return {
    overview: written?.overview ?? overviewOf(prompt.title, prompt.passages),
    expectations: judged.map(({ missing, ...entry }) => entry),
    openQuestions: [...(written?.questions ?? missed)].slice(0, MAX_QUESTIONS),
    answers: answersIn(prompt.questions, prompt.passages),
  };
}

/** The summary of a sandbox recording, identified by its first sentence. */
function writtenFor(passages: readonly PromptPassage[]): WrittenSummary | undefined {
  const spoken = passages.map(({ text }) => text).join(' ');
  const script = SCRIPTS.find(({ answers }) => spoken.startsWith(answers[0]?.sentences[0] ?? '-'));
  return script && WRITTEN_SUMMARIES[script.id];
}

/** Assumes that all questions are answered at the same length. */
const answersIn = (questions: readonly string[], passages: readonly PromptPassage[]) =>
  questions.flatMap((_, index) => {
    const passage = passages[Math.floor((index * passages.length) / questions.length)];
    return passage ? [{ question: index + 1, passage: passage.passage }] : [];
  });

function combine(parts: readonly { overview: string; openQuestions: string[] }[]): ChatResponse {
  const [first, last] = [parts[0], parts.at(-1)].map((part) => part?.overview ?? '');
  return {
    overview: `${first} Later: ${last}`,
    openQuestions: [...new Set(parts.flatMap(({ openQuestions }) => openQuestions))].slice(0, MAX_QUESTIONS),
  };
}

function overviewOf(title: string, passages: readonly PromptPassage[]): string {
  // Titles of the sandbox are `Role – Name`.
  const [role, name = 'The candidate'] = title.split(' – ');
  const [first, middle, last] = [0, Math.floor(passages.length / 2), passages.length - 1].map(
    (index) => sentencesOf(passages[index]?.text ?? '')[0] ?? '',
  );
  const parts = [
    `${name} applies for ${role} and begins with “${first}”`,
    middle !== first && middle !== last && `The main example: “${middle}”`,
    last !== first && `The interview ends with “${last}”`,
  ];
  return parts.filter(Boolean).join(' ');
}

function judge({ number, expectation }: PromptExpectation, passages: readonly PromptPassage[]) {
  const items = expectation.split(/[,;.]+/).flatMap((item) => item.trim() || []);
  const places = items.map((item) => passages.flatMap((passage) => quoteAbout(item, passage)));
  const mentioned = items.filter((_, index) => places[index]?.length);
  const missing = items.filter((_, index) => !places[index]?.length);
  const quotes = [
    ...new Map(places.flatMap((found) => found.slice(0, 1)).map((quote) => [quote.text, quote])).values(),
  ];
  const verdict = mentioned.length === 0 ? 'not shown' : missing.length === 0 ? 'met' : 'partly';
  return { number, verdict, note: noteOf(mentioned, missing), quotes: quotes.slice(0, MAX_QUOTES), missing };
}

/**
 * Quotes the first sentence of the passage that contains at least half of the item's words. Words
 * are compared by their first letters, so `tests` matches `Testing`.
 */
function quoteAbout(item: string, { passage, text }: PromptPassage): ChatQuote[] {
  const wanted = beginningsOf(item);
  const sentence = sentencesOf(text).find((sentence) => {
    const spoken = beginningsOf(sentence);
    const count = wanted.filter((one) => spoken.some((other) => one.startsWith(other) || other.startsWith(one))).length;
    return count > 0 && count >= wanted.length / 2;
  });
  return sentence ? [{ text: sentence, passage }] : [];
}

const beginningsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.slice(0, 5));

const sentencesOf = (text: string) => text.match(/[^.!?]+[.!?]*/g)?.map((sentence) => sentence.trim()) ?? [];

const noteOf = (mentioned: string[], missing: string[]) =>
  [mentioned.length > 0 && `Evidence for ${listOf(mentioned)}.`, missing.length > 0 && `Nothing on ${listOf(missing)}.`]
    .filter(Boolean)
    .join(' ');

const listOf = (items: string[]) => new Intl.ListFormat('en').format(items);

const question = (missing: string) => `Ask for an example: ${missing}.`;
