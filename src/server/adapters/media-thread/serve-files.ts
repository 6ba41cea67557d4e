import { parentPort } from 'node:worker_threads';
import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** A recording as a task in the thread sees it. */
export interface MediaFile {
  input: Input;
  size: number;
  /** Rejects for bytes that cannot be read, those after the end among them. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Says that a long task is getting on, though it reads nothing at the moment. */
  alive(): void;
}

/** What can be done with an open file, by name. Bytes in an answer's `bytes` are handed over, not copied. */
export type FileTasks = Record<string, (given: never) => Promise<unknown>>;

const FORMATS = [MP4, QTFF, WEBM, MATROSKA];
const CACHE_BYTES = 2 * 2 ** 20;

const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
let reads = 0;

const tell = (message: FromThread, handedOver: ArrayBuffer[] = []) => parentPort?.postMessage(message, handedOver);

/** The thread's side of a MediaThread: one file after another, `tasksOf` makes the tasks of each. */
export function serveFiles(tasksOf: (file: MediaFile) => FileTasks): void {
  let input: Input | null = null;
  let tasks: FileTasks = {};
  parentPort?.on('message', (message: ToThread) => {
    if ('open' in message) {
      input?.dispose();
      input = openInput(message.open);
      tell({ alive: true });
      tasks = tasksOf({ input, size: message.open, read: ask, alive: () => tell({ alive: true }) });
    } else if ('task' in message) void perform(tasks[message.task], message.given);
    else answer(message.read, message.bytes);
  });
}

async function perform(task: FileTasks[string] | undefined, given: unknown): Promise<void> {
  try {
    const answer = (await task?.(given as never)) as { bytes?: Uint8Array<ArrayBuffer> } | null | undefined;
    tell({ answer }, answer?.bytes ? [answer.bytes.buffer] : []);
  } catch (error) {
    tell({ failed: error instanceof UnreadableRecording ? error.message : null });
  }
}

const openInput = (size: number) =>
  new Input({
    formats: FORMATS,
    source: new CustomSource({
      getSize: () => size,
      read: ask,
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: 'fileSystem',
      handleUnhandledError: () => {},
    }),
  });

function ask(start: number, end: number): Promise<Uint8Array> {
  const asked = Promise.withResolvers<Uint8Array>();
  reads += 1;
  waiting.set(reads, asked);
  tell({ read: reads, start, end });
  return asked.promise;
}

function answer(read: number, bytes: Uint8Array | null): void {
  const asked = waiting.get(read);
  waiting.delete(read);
  if (bytes) asked?.resolve(bytes);
  else asked?.reject(new Error('The file cannot be read there.'));
}
