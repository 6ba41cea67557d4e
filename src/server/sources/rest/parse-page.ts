import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { threadEnvironment } from '#server/async/thread-environment.ts';
import { unlessAborted } from '#server/async/unless-aborted.ts';
import type { SourcePage } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { interviewsError, type RawResponse } from '#server/sources/source-client.ts';
import { type PageRequest, readPage } from './read-page.ts';
import { BAD_RESPONSE } from './rest-client.ts';

/** The thread returns the page, or the kind and message of an UpstreamError. */
export type ThreadResponse = { page: SourcePage } | { kind: UpstreamError['kind']; message: string };

/**
 * A page of a hundred interviews with questions has a few thousand values, which take milliseconds.
 * Larger pages are parsed in a thread, because 200,000 keys take almost a second.
 */
const MAX_VALUES_OUTSIDE_THREAD = 20_000;
const THREAD_TIMEOUT_MS = 30_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 };
const SCRIPT = new URL('./parse-page.worker.ts', import.meta.url);

export async function parseHere(bytes: Uint8Array, request: PageRequest): Promise<SourcePage> {
  return readPage(parseJson(new TextDecoder().decode(bytes)), request);
}

/** Parses pages, large ones in a thread and one at a time, so that their memory does not add up. */
export function pageParser() {
  const threads = new PQueue({ concurrency: 1 });
  /** @throws UpstreamError `bad_response`, or the signal's reason */
  return async ({ bytes, values }: RawResponse, request: PageRequest, signal: AbortSignal): Promise<SourcePage> => {
    if (values <= MAX_VALUES_OUTSIDE_THREAD) return parseHere(bytes, request);
    return threads.add(() => parseInThread(bytes, request, signal));
  };
}

async function parseInThread(
  bytes: Uint8Array<ArrayBuffer>,
  request: PageRequest,
  signal: AbortSignal,
): Promise<SourcePage> {
  signal.throwIfAborted();
  await using worker = new Worker(SCRIPT, {
    name: 'interviews-page',
    workerData: { bytes, request },
    transferList: [bytes.buffer],
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: THREAD_LIMITS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadResponse>();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(THREAD_TIMEOUT_MS)]);
  worker.once('message', resolve).once('error', reject).once('exit', reject);
  try {
    const response = await unlessAborted(promise, limit);
    if ('page' in response) return response.page;
    throw interviewsError(response.kind, response.message);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UpstreamError ? error : interviewsError('bad_response', BAD_RESPONSE, { cause: error });
  }
}
