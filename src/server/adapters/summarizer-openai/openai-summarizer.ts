import type { SummaryStructure } from '#contracts/summaries.ts';
import type { Summarizer, SummaryRequest } from '#server/ports/summarizer.ts';
import { RETRY_POLICY, type RetryPolicy } from '../http-retry/retry.ts';
import { askAboutPart, askAboutWhole } from './instructions.ts';
import { mergeJudgements } from './merge-parts.ts';
import {
  type JudgedExpectation,
  PART_SCHEMA,
  type PartAnswer,
  partAnswer,
  WHOLE_SCHEMA,
  WholeAnswer,
} from './part-answer.ts';
import { StructuredChat } from './structured-chat.ts';
import { TooLongError } from './summary-error.ts';
import { numbered, partsOf, sizeOf } from './transcript-parts.ts';

export interface OpenaiSummarizerOptions {
  /** Of any OpenAI-compatible server; ends in /v1. */
  url: string;
  /** Empty for a server that wants none. */
  apiKey: string;
  model: string;
  retry?: RetryPolicy;
  /** For one try of one call. A large model on a small machine takes minutes. */
  timeoutMs?: number;
  /** A transcript of more characters is summed up in parts. */
  mostCharacters?: number;
}

const TIMEOUT_MS = 300_000;
/** About 6,000 tokens of English: with the answer it fits into a context of 8,192, which nearly every model has. */
const MOST_CHARACTERS = 24_000;
/** A model that cannot read so much at once cannot judge anything. */
const FEWEST_CHARACTERS = 1_000;

/** Sums up with a language model behind an OpenAI-compatible server. */
export function openaiSummarizer(options: OpenaiSummarizerOptions): Summarizer {
  const { url, apiKey, model, retry = RETRY_POLICY, timeoutMs = TIMEOUT_MS } = options;
  const chat = new StructuredChat({ url, apiKey, model, retry, timeoutMs });
  const reading = new Reading(chat, options.mostCharacters ?? MOST_CHARACTERS);
  return {
    async summarize(request, signal) {
      const parts = await reading.judge(request, signal);
      const judged = mergeJudgements(parts, request.expectations.length);
      return structureOf(request, await reading.sumUp({ request, parts, judged }, signal), judged);
    },
  };
}

interface Findings {
  request: SummaryRequest;
  parts: readonly WholeAnswer[];
  judged: readonly JudgedExpectation[];
}

/** Reads transcripts in pieces that the model can take. */
class Reading {
  readonly #chat: StructuredChat;
  /** Shrinks when the model turns out to read less, and stays so while this process lives. */
  #most: number;

  constructor(chat: StructuredChat, most: number) {
    this.#chat = chat;
    this.#most = most;
  }

  /** What the model finds in each part, in their order. */
  async judge(request: SummaryRequest, signal: AbortSignal): Promise<PartAnswer[]> {
    const shape = { schema: PART_SCHEMA, reader: partAnswer(request.expectations.length) };
    const answers: PartAnswer[] = [];
    let todo = partsOf(numbered(request.transcript), this.#most);
    for (let part = todo[0]; part; part = todo[0]) {
      try {
        answers.push(await this.#chat.ask(askAboutPart(request, part), shape, signal));
        todo = todo.slice(1);
      } catch (error) {
        const half = sizeOf(part) / 2;
        if (!(error instanceof TooLongError) || part.length === 1 || half < FEWEST_CHARACTERS) throw error;
        this.#most = Math.min(this.#most, half);
        todo = partsOf(todo.flat(), this.#most);
      }
    }
    return answers;
  }

  /** One summary over those of the parts; where they are too many for one call, over summaries of summaries. */
  async sumUp({ request, parts, judged }: Findings, signal: AbortSignal): Promise<WholeAnswer> {
    const [first, second] = parts;
    if (first && !second) return first;
    if (parts.length <= 2 || JSON.stringify(parts).length <= this.#most) {
      const shape = { schema: WHOLE_SCHEMA, reader: WholeAnswer };
      return this.#chat.ask(askAboutWhole(request, parts, judged), shape, signal);
    }
    const middle = Math.ceil(parts.length / 2);
    const halves: WholeAnswer[] = [];
    for (const half of [parts.slice(0, middle), parts.slice(middle)])
      halves.push(await this.sumUp({ request, parts: half, judged }, signal));
    return this.sumUp({ request, parts: halves, judged }, signal);
  }
}

/** Field, expectation and times are ours; of the model's answer come only words and verdicts. */
function structureOf(
  { expectations, transcript }: SummaryRequest,
  { overview, openQuestions }: WholeAnswer,
  judged: readonly JudgedExpectation[],
): SummaryStructure {
  return {
    method: 'model',
    overview,
    expectations: expectations.map(({ field, expectation }, index) => {
      const { verdict = 'not shown', note = null, quotes = [] } = judged[index] ?? {};
      const timed = quotes.map(({ text, passage }) => ({
        text,
        startSeconds: transcript[(passage ?? 0) - 1]?.startSeconds ?? null,
      }));
      return { field, expectation, verdict, note, quotes: timed };
    }),
    openQuestions,
  };
}
