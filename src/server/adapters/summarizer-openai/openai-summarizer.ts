import { type SummaryStructure, VERDICTS } from '#contracts/summaries.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { RETRY_POLICY } from '#server/adapters/outside-http/retry.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import type { Summarizer, SummaryRequest } from '#server/ports/summarizer.ts';
import { ChatClient } from './chat-client.ts';
import { partMessages, wholeMessages } from './instructions.ts';
import {
  type JudgedExpectation,
  PART_SCHEMA,
  type PartResponse,
  partResponse,
  WHOLE_SCHEMA,
  WholeResponse,
} from './part-response.ts';
import { ask } from './structured-chat.ts';
import { TooLongError } from './summary-error.ts';
import { numbered, partsOf, sizeOf } from './transcript-parts.ts';

export interface OpenaiSummarizerOptions {
  /** The URL of any OpenAI-compatible server; ends in /v1. */
  url: string;
  /** Empty for a server that requires none. */
  apiKey: string;
  model: string;
  retry?: RetryPolicy;
  proxy?: OutgoingProxy | undefined;
  /** For one try of one call. A large model on a small machine takes minutes. */
  timeoutMs?: number;
  /** A longer transcript is summarized in parts. */
  maxCharacters?: number;
}

const TIMEOUT_MS = 300_000;
/**
 * About 6,000 tokens of English. With the response they fit into a context of 8,192 tokens, which
 * nearly every model has.
 */
const MAX_CHARACTERS = 24_000;
/** A smaller piece is too little to judge. */
const MIN_CHARACTERS = 1_000;
const MAX_QUOTES = 3;

/** Summarizes with a language model behind an OpenAI-compatible server. */
export function openaiSummarizer(options: OpenaiSummarizerOptions): Summarizer {
  const { url, apiKey, model, proxy, retry = RETRY_POLICY, timeoutMs = TIMEOUT_MS } = options;
  const chat = new ChatClient({ url, apiKey, model, retry, timeoutMs, proxy });
  const reader = new TranscriptReader(chat, options.maxCharacters ?? MAX_CHARACTERS);
  return {
    async summarize(request, signal) {
      const parts = await reader.judgeParts(request, signal);
      const judged = mergeJudgements(parts, request.expectations.length);
      const structure = structureOf(request, await reader.combine({ request, parts, judged }, signal), judged);
      return { ...structure, answers: answersOf(request, parts) };
    },
  };
}

/**
 * Merges the judgements of all parts into one per expectation. The strongest verdict wins with its
 * note, and its quotes precede the quotes of weaker parts.
 */
function mergeJudgements(parts: readonly PartResponse[], expected: number): JudgedExpectation[] {
  return Array.from({ length: expected }, (_, index) =>
    mergeExpectation(parts.flatMap((part) => part.expectations[index] ?? [])),
  );
}

function mergeExpectation(judgements: readonly JudgedExpectation[]): JudgedExpectation {
  const strongestFirst = judgements.toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
  const { verdict = 'not shown', note = null } = strongestFirst[0] ?? {};
  const quotes = strongestFirst
    .flatMap((judgement) => judgement.quotes)
    .slice(0, MAX_QUOTES)
    .sort((a, b) => (a.passage ?? Number.POSITIVE_INFINITY) - (b.passage ?? Number.POSITIVE_INFINITY) || 0);
  return { verdict, note, quotes };
}

interface Findings {
  request: SummaryRequest;
  parts: readonly WholeResponse[];
  judged: readonly JudgedExpectation[];
}

/** Reads transcripts in pieces that fit into the model's context. */
class TranscriptReader {
  readonly #chat: ChatClient;
  /** Halves when the model turns out to have a smaller context, for the rest of the process. */
  #maxCharacters: number;

  constructor(chat: ChatClient, maxCharacters: number) {
    this.#chat = chat;
    this.#maxCharacters = maxCharacters;
  }

  /** Resolves with the responses about all parts, in order. */
  async judgeParts(request: SummaryRequest, signal: AbortSignal): Promise<PartResponse[]> {
    const shape = { schema: PART_SCHEMA, reader: partResponse(request.expectations.length) };
    const responses: PartResponse[] = [];
    let todo = partsOf(numbered(request.transcript), this.#maxCharacters);
    for (let part = todo[0]; part; part = todo[0]) {
      try {
        responses.push(await ask(this.#chat, { ...shape, messages: partMessages(request, part) }, signal));
        todo = todo.slice(1);
      } catch (error) {
        const half = sizeOf(part) / 2;
        if (!(error instanceof TooLongError) || part.length === 1 || half < MIN_CHARACTERS) throw error;
        this.#maxCharacters = Math.min(this.#maxCharacters, half);
        todo = partsOf(todo.flat(), this.#maxCharacters);
      }
    }
    return responses;
  }

  /** Summarizes the summaries of the parts; too many for one call are combined half by half. */
  async combine({ request, parts, judged }: Findings, signal: AbortSignal): Promise<WholeResponse> {
    const [first, second] = parts;
    if (first && !second) return first;
    if (parts.length <= 2 || JSON.stringify(parts).length <= this.#maxCharacters) {
      const messages = wholeMessages(request, parts, judged);
      return ask(this.#chat, { messages, schema: WHOLE_SCHEMA, reader: WholeResponse }, signal);
    }
    const middle = Math.ceil(parts.length / 2);
    const halves: WholeResponse[] = [];
    for (const half of [parts.slice(0, middle), parts.slice(middle)])
      halves.push(await this.combine({ request, parts: half, judged }, signal));
    return this.combine({ request, parts: halves, judged }, signal);
  }
}

/** The first time of each answer. None without times. */
function answersOf({ questions, transcript }: SummaryRequest, parts: readonly PartResponse[]) {
  const starts = new Map<number, number>();
  for (const { question, passage } of parts.flatMap(({ answers }) => answers)) {
    const startSeconds = transcript[passage - 1]?.startSeconds ?? null;
    const position = question - 1;
    if (startSeconds === null || !questions[position]) continue;
    starts.set(position, Math.min(startSeconds, starts.get(position) ?? startSeconds));
  }
  return [...starts]
    .map(([position, startSeconds]) => ({ position, startSeconds }))
    .sort((a, b) => a.position - b.position);
}

/** Fields, expectations and times are ours; the model only provides texts and verdicts. */
function structureOf(
  { expectations, transcript }: SummaryRequest,
  { overview, openQuestions }: WholeResponse,
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
