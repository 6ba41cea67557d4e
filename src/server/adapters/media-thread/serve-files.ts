import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { CustomSource, Input, MATROSKA, MP3, MP4, QTFF, WEBM } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** A recording as seen by a task in the thread. */
export interface MediaFile {
  input: Input;
  size: number;
  /** Rejects if the bytes cannot be read, for example beyond the end. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Opens the recording in the `size` bytes from `start`. */
  openPart(start: number, size: number): Input;
  /**
   * Called for each packet: a long task that does not read at the moment makes progress. One call
   * of many is reported.
   */
  reportProgress(): void;
}

/** Tasks for an open file, by name. The bytes in a result's `bytes` are transferred, not copied. */
export type FileTasks = Record<string, (input: never) => Promise<unknown>>;

const FORMATS = [MP4, QTFF, WEBM, MATROSKA, MP3];
/** Calls of `reportProgress` between two messages. */
const PROGRESS_CALLS = 2_000;
const CACHE_BYTES = 2 * 2 ** 20;

const pendingReads = new Map<number, PromiseWithResolvers<Uint8Array>>();
let reads = 0;

const post = (message: FromThread, handedOver: ArrayBuffer[] = []) => parentPort?.postMessage(message, handedOver);

/**
 * Lowers the priority of this thread, so that requests and downloads go first when the processor is
 * busy. Linux has one priority per thread. The link ends with the id of this thread.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  const id = readlinkSync('/proc/thread-self').split('/').at(-1);
  setPriority(Number(id), constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The thread's side of a MediaThread. `tasksOf` creates the tasks of each file. */
export function serveFiles(tasksOf: (file: MediaFile) => FileTasks): void {
  lowerPriority();
  let input: Input | null = null;
  let tasks: FileTasks = {};
  let progress = 0;
  parentPort?.on('message', (message: ToThread) => {
    if ('open' in message) {
      input?.dispose();
      input = openInput(0, message.open);
      post({ progress: true });
      tasks = tasksOf({
        input,
        size: message.open,
        read: requestBytes,
        openPart: openInput,
        reportProgress: () => {
          progress += 1;
          if (progress % PROGRESS_CALLS === 0) post({ progress: true });
        },
      });
    } else if ('task' in message) void runTask(tasks[message.task], message.input);
    else settleRead(message.read, message.bytes);
  });
}

async function runTask(task: FileTasks[string] | undefined, input: unknown): Promise<void> {
  try {
    const response = (await task?.(input as never)) as { bytes?: Uint8Array<ArrayBuffer> } | null | undefined;
    post({ response }, response?.bytes ? [response.bytes.buffer] : []);
  } catch (error) {
    post({ failed: error instanceof UnreadableRecording ? error.message : null });
  }
}

const openInput = (offset: number, size: number) =>
  new Input({
    formats: FORMATS,
    source: new CustomSource({
      getSize: () => size,
      read: (start, end) => requestBytes(offset + start, offset + end),
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: 'fileSystem',
      handleUnhandledError: () => {},
    }),
  });

function requestBytes(start: number, end: number): Promise<Uint8Array> {
  const pending = Promise.withResolvers<Uint8Array>();
  reads += 1;
  pendingReads.set(reads, pending);
  post({ read: reads, start, end });
  return pending.promise;
}

function settleRead(read: number, bytes: Uint8Array | null): void {
  const pending = pendingReads.get(read);
  pendingReads.delete(read);
  if (bytes) pending?.resolve(bytes);
  else pending?.reject(new Error("These bytes can't be read."));
}
