import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { EXPECTATION_FIELDS } from '#contracts/summaries.ts';
import { SCRIPTS } from '#sandbox/media/scripts.ts';
import {
  type OpenaiSummarizerOptions,
  openaiSummarizer,
} from '#server/adapters/summarizer-openai/openai-summarizer.ts';
import type { Passage, SummaryRequest } from '#server/ports/summarizer.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { sandboxOfFile } from './start-sandbox.ts';

export const RETRY = { tries: 4, firstDelayMs: 1, maxDelayMs: 5 };
export const never = new AbortController().signal;

/** Starts a sandbox for all tests of a file, with what they request of its model. */
export async function summarizerStage() {
  const sandbox = await sandboxOfFile();
  const openai = (more: Partial<OpenaiSummarizerOptions> = {}) =>
    openaiSummarizer({ ...sandbox.summary, retry: RETRY, timeoutMs: 15_000, ...more });

  /** The transcript of a sandbox candidate and the funnel of her interview. */
  const interview = (more: Partial<SummaryRequest> = {}): SummaryRequest => {
    const [script] = SCRIPTS;
    const [funnel] = sandbox.funnels;
    if (!script || !funnel) throw new Error('The sandbox has neither recordings nor funnels.');
    return {
      title: funnel.name,
      questions: script.answers.map(({ question }) => question),
      jobDescription: funnel.description,
      expectations: EXPECTATION_FIELDS.map((field) => ({ field, expectation: funnel[field] })),
      transcript: spoken(script.answers.flatMap(({ sentences }) => sentences)),
      ...more,
    };
  };

  const calls = () => sandbox.requests.list('/chat/completions').length;

  const refusal = async (summarizer = openai(), request = interview()): Promise<UpstreamError> => {
    const error = await summarizer.summarize(request, never).then(
      () => null,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ service: 'summary' });
    return error as UpstreamError;
  };

  return { sandbox, openai, interview, calls, refusal };
}

export const spoken = (texts: readonly string[]): Passage[] =>
  texts.map((text, index) => ({ text, startSeconds: index * 7.5 }));

/** A transcript of the given length with one sentence of evidence. */
export const longTalk = (characters: number, telling: string): Passage[] => {
  const talk = Array.from(
    { length: Math.ceil(characters / 45) },
    (_, index) => `On day ${index} it rained upon hill and dale.`,
  );
  return spoken(talk.with(Math.floor(talk.length * 0.9), telling));
};

/** A response about one expectation that deviates from the schema. */
export function responseWith(given: object): object {
  const judged = { number: 1, verdict: 'met', note: 'It was said.', quotes: [], ...given };
  return { overview: 'They speak about work.', expectations: [judged], openQuestions: [] };
}

type Answering = Parameters<typeof createServer>[1];

/** Starts a server that the sandbox does not offer. Resolves with its URL, up to /v1. */
export async function serverAnswering(
  respond: (response: Parameters<NonNullable<Answering>>[1], request: Parameters<NonNullable<Answering>>[0]) => unknown,
): Promise<string> {
  const server = createServer((request, response) => void respond(response, request));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
