import type { Worker } from 'node:worker_threads';
import { FileStoreError, type ReadableFile, readFully } from '#server/ports/file-store.ts';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** A parser reads a recording once or twice; reading it more often means that it loops. */
const MAX_READS = 4;
const ALWAYS_ALLOWED_BYTES = 64 * 2 ** 20;
/** Larger than any table of a real recording; a damaged file may claim anything. */
const MAX_READ_BYTES = 64 * 2 ** 20;

/** Time to start a thread and load its modules on a busy machine. */
const START_TIMEOUT_MS = 30_000;

const DAMAGED_MESSAGE = "This recording is damaged and can't be read.";

/**
 * A file opened in a thread. Serves the thread's read requests and terminates the thread when it
 * makes no progress.
 */
export class OpenedFile {
  readonly #worker: Worker;
  readonly #file: ReadableFile;
  readonly #limitMs: number;
  readonly #onClosed: () => void;
  readonly #pendingReads = new Set<Promise<void>>();
  #task: PromiseWithResolvers<unknown> | null = null;
  #stalled: NodeJS.Timeout | undefined;
  #hasStarted = false;
  readonly #started = Promise.withResolvers<void>();
  #ended: unknown = null;
  #bytesRead = 0;

  constructor(worker: Worker, file: ReadableFile, limitMs: number, onClosed: () => void) {
    this.#worker = worker;
    this.#file = file;
    this.#limitMs = limitMs;
    this.#onClosed = onClosed;
    worker.on('message', this.#onMessage).on('exit', this.#onExit);
    this.#post({ open: file.file.size });
  }

  /** Resolves when the thread has opened the file. Stays pending if the thread ends before. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /**
   * Runs a task in the thread, one at a time. A task that fails by the limit or by `signal`
   * terminates the thread, and every later task fails.
   * @throws UnreadableRecording, FileStoreError, the signal's reason
   */
  async runTask(task: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#ended) throw this.#ended;
    this.#task = Promise.withResolvers();
    const abort = () => this.#endThread(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#watch(this.#hasStarted ? this.#limitMs : START_TIMEOUT_MS);
    this.#worker.ref();
    this.#post({ task, input });
    try {
      return await this.#task.promise;
    } finally {
      clearTimeout(this.#stalled);
      this.#task = null;
      signal.removeEventListener('abort', abort);
      this.#worker.unref();
    }
  }

  /** Resolves when the file is no longer accessed. */
  async close(): Promise<void> {
    this.#worker.off('message', this.#onMessage).off('exit', this.#onExit);
    await Promise.all(this.#pendingReads);
    // The next file must not get a thread that is about to end.
    if (this.#ended) await this.#worker.terminate();
    this.#onClosed();
  }

  readonly #onMessage = (message: FromThread): void => {
    this.#hasStarted = true;
    this.#started.resolve();
    if (this.#task) this.#watch(this.#limitMs);
    if ('response' in message) this.#task?.resolve(message.response);
    else if ('failed' in message) this.#task?.reject(new UnreadableRecording(message.failed ?? DAMAGED_MESSAGE));
    else if ('read' in message) {
      const answered = this.#answerRead(message).finally(() => this.#pendingReads.delete(answered));
      this.#pendingReads.add(answered);
    }
  };

  // Most likely out of memory, which no valid sound file causes.
  readonly #onExit = (): void => this.#endThread(new UnreadableRecording(DAMAGED_MESSAGE));

  async #answerRead({ read, start, end }: Extract<FromThread, { read: number }>): Promise<void> {
    this.#bytesRead += end - start;
    if (this.#bytesRead > MAX_READS * this.#file.file.size + ALWAYS_ALLOWED_BYTES)
      return this.#endThread(new UnreadableRecording(DAMAGED_MESSAGE));
    try {
      const bytes = await readRange(this.#file, start, end);
      this.#worker.postMessage({ read, bytes } satisfies ToThread, bytes ? [bytes.buffer] : []);
    } catch (error) {
      // A failure of the store must not look like a damaged file.
      this.#endThread(error);
    }
  }

  #watch(ms: number): void {
    clearTimeout(this.#stalled);
    this.#stalled = setTimeout(() => this.#endThread(this.#stallError()), ms);
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #endThread(reason: unknown): void {
    this.#ended ??= reason;
    this.#task?.reject(this.#ended);
    void this.#worker.terminate();
  }

  #stallError(): Error {
    return this.#pendingReads.size > 0
      ? new FileStoreError('unavailable', 'The file store is too slow to read the recording.')
      : new UnreadableRecording('This recording is damaged: reading it takes too long.');
  }
}

/**
 * Reads the bytes from `start` to before `end`. Returns null if the file ends early or the range is
 * larger than any valid file needs.
 * @throws FileStoreError
 */
async function readRange(file: ReadableFile, start: number, end: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (start < 0 || end < start || end - start > MAX_READ_BYTES) return null;
  const bytes = new Uint8Array(end - start);
  return (await readFully(file, bytes, { position: start })) ? bytes : null;
}
