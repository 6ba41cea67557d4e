import { parentPort } from 'node:worker_threads';
import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import type { FromInspection, ToInspection } from './inspection-messages.ts';

const FORMATS = [MP4, QTFF, WEBM, MATROSKA];
const CACHE_BYTES = 2 * 2 ** 20;

const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
let reads = 0;

const tell = (message: FromInspection) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToInspection) => {
  if ('inspect' in message) void inspect(message.inspect.size);
  else answer(message.read, message.bytes);
});

function answer(read: number, bytes: Uint8Array | null): void {
  const asked = waiting.get(read);
  waiting.delete(read);
  if (bytes) asked?.resolve(bytes);
  else asked?.reject(new Error('The file cannot be read there.'));
}

function ask(start: number, end: number): Promise<Uint8Array> {
  const asked = Promise.withResolvers<Uint8Array>();
  reads += 1;
  waiting.set(reads, asked);
  tell({ read: reads, start, end });
  return asked.promise;
}

async function inspect(size: number): Promise<void> {
  const source = new CustomSource({
    getSize: () => size,
    read: ask,
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => {},
  });
  const input = new Input({ formats: FORMATS, source });
  const found = await durationOf(input).catch(() => null);
  input.dispose();
  tell({ found });
}

/** What the file says of itself, else the end of its last packet: a browser's live recording says nothing. */
async function durationOf(input: Input): Promise<number | null> {
  const stated = await input.getDurationFromMetadata();
  return stated && stated > 0 ? stated : input.computeDuration();
}
