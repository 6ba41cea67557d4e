import { expect } from 'vitest';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import type { CreatedRange, InterviewSource } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { restInterviewSource } from '#server/sources/rest/rest-interview-source.ts';

export const RETRY = { tries: 4, firstDelayMs: 1, maxDelayMs: 5 };
export const EVERYTHING: CreatedRange = { createdAfter: null, createdBefore: null };
export const never = new AbortController().signal;

type Adapter = (sandbox: Sandbox, pageSize: number) => InterviewSource;

/** Each adapter over the same sandbox, with short waits and time limits. */
export const INTERVIEW_SOURCES: Record<string, Adapter> = {
  rest: ({ interviewServiceUrl: baseUrl }, pageSize) =>
    restInterviewSource({ baseUrl, pageSize, timeoutMs: 1_000, retry: RETRY }),
};

/** Reads the first funnel of the sandbox through the adapter. */
export function readingFirstFunnel(adapter: Adapter, sandbox: Sandbox) {
  const funnel = () => {
    const first = sandbox.funnels[0];
    if (!first) throw new Error('The sandbox has no funnel.');
    return { source: 'rest' as const, funnelId: first.funnelId, apiKey: first.apiKey };
  };
  const source = (pageSize = 100) => adapter(sandbox, pageSize);
  const firstPage = (access = funnel()) => source().page(access, EVERYTHING, null, never);
  const refusal = async (access = funnel()): Promise<UpstreamError> => {
    const error = await firstPage(access).then(
      () => null,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(UpstreamError);
    return error as UpstreamError;
  };
  const calls = () => sandbox.requests.list('/interviews').length;
  return { funnel, source, firstPage, refusal, calls };
}
