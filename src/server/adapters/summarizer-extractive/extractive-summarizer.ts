import { Worker } from 'node:worker_threads';
import type { SummaryStructure } from '#contracts/summaries.ts';
import { threadEnvironment } from '#server/async/thread-environment.ts';
import type { Summarizer, SummaryRequest } from '#server/ports/summarizer.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

const MEMORY_MB = 256;
/** The longest transcript takes about two seconds. */
const TIMEOUT_MS = 60_000;
const SCRIPT = new URL('./extraction.worker.ts', import.meta.url);

/**
 * Summarizes without any service: selects sentences of the transcript and looks for the words of
 * the expectations. Runs in a worker thread, which does not block the server and frees the
 * dictionary's memory when it ends.
 */
export function extractiveSummarizer(): Summarizer {
  return {
    async summarize(request, signal) {
      signal.throwIfAborted();
      return extractInThread(request, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])).catch(
        (error: unknown) => {
          signal.throwIfAborted();
          throw new UpstreamError(
            'summary',
            'rejected',
            "This transcript can't be summarized without an AI model. Write the summary yourself, or ask an admin to set SUMMARY_URL.",
            { cause: error },
          );
        },
      );
    },
  };
}

function extractInThread(request: SummaryRequest, signal: AbortSignal): Promise<SummaryStructure> {
  const worker = new Worker(SCRIPT, {
    name: 'summary',
    workerData: request,
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<SummaryStructure>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.once('message', resolve).once('error', reject).once('exit', reject);
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    return worker.terminate();
  });
}
