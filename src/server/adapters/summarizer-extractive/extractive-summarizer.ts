import { Worker } from 'node:worker_threads';
import type { SummaryStructure } from '#contracts/summaries.ts';
import type { Summarizer, SummaryRequest } from '#server/ports/summarizer.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

const MEMORY_MB = 256;
/** The longest transcript takes a second or two. */
const LIMIT_MS = 60_000;
const SCRIPT = new URL('./extraction.worker.ts', import.meta.url);

/**
 * Sums up without any service: chooses sentences of the transcript and looks for the words that the job asks for. In a thread of its
 * own, which ends with its summary: the server answers meanwhile, and the dictionary's memory is free again.
 */
export function extractiveSummarizer(): Summarizer {
  return {
    async summarize(request, signal) {
      signal.throwIfAborted();
      return extracted(request, AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new UpstreamError(
          'summary',
          'rejected',
          'This transcript cannot be summed up on this machine. Write the summary by hand, or have an administrator set SUMMARY_URL.',
          { cause: error },
        );
      });
    },
  };
}

function extracted(request: SummaryRequest, signal: AbortSignal): Promise<SummaryStructure> {
  const worker = new Worker(SCRIPT, {
    name: 'summary',
    workerData: request,
    env: {},
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
