import { parentPort, workerData } from 'node:worker_threads';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { parseHere, type ThreadResponse } from './parse-page.ts';
import type { PageRequest } from './read-page.ts';

const { bytes, request } = workerData as { bytes: Uint8Array; request: PageRequest };

const response: ThreadResponse = await parseHere(bytes, request).then(
  (page) => ({ page }),
  (error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: error.kind, message: error.message };
  },
);
parentPort?.postMessage(response);
