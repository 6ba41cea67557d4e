import type { Worker } from 'node:worker_threads';
import { FileStoreError, type ReadableFile } from '#server/ports/file-store.ts';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import { readFully } from './read-fully.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** A sound file is read once or twice; more than so often and so much is a parser that runs in circles. */
const MOST_READINGS = 4;
const ALWAYS_ALLOWED_BYTES = 64 * 2 ** 20;

/** To start a thread and load what it needs, on a machine that is busy. */
const START_MS = 30_000;

const DAMAGED = 'This recording is damaged and cannot be read.';

/** A file in the hands of a thread: answers what the thread asks to read, and ends the thread when it gets nowhere. */
export class OpenedFile {
  readonly #worker: Worker;
  readonly #file: ReadableFile;
  readonly #limitMs: number;
  readonly #closed: () => void;
  readonly #underWay = new Set<Promise<void>>();
  #task: PromiseWithResolvers<unknown> | null = null;
  #stalled: NodeJS.Timeout | undefined;
  #isUp = false;
  #ended: unknown = null;
  #bytesRead = 0;

  constructor(worker: Worker, file: ReadableFile, limitMs: number, closed: () => void) {
    this.#worker = worker;
    this.#file = file;
    this.#limitMs = limitMs;
    this.#closed = closed;
    worker.on('message', this.#heard).on('exit', this.#exited);
    this.#tell({ open: file.file.size });
  }

  /**
   * Has the thread do a task, one at a time. When it fails by the limit or by `signal`, the thread is gone and so is every later task.
   * @throws UnreadableRecording, FileStoreError, the signal's reason
   */
  async ask(task: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#ended) throw this.#ended;
    this.#task = Promise.withResolvers();
    const abort = () => this.#end(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#watch(this.#isUp ? this.#limitMs : START_MS);
    this.#worker.ref();
    this.#tell({ task, given });
    try {
      return await this.#task.promise;
    } finally {
      clearTimeout(this.#stalled);
      this.#task = null;
      signal.removeEventListener('abort', abort);
      this.#worker.unref();
    }
  }

  /** The file is not touched afterwards. */
  async close(): Promise<void> {
    this.#worker.off('message', this.#heard).off('exit', this.#exited);
    await Promise.all(this.#underWay);
    // The next file must not get a thread that is about to end.
    if (this.#ended) await this.#worker.terminate();
    this.#closed();
  }

  readonly #heard = (message: FromThread): void => {
    this.#isUp = true;
    if (this.#task) this.#watch(this.#limitMs);
    if ('answer' in message) this.#task?.resolve(message.answer);
    else if ('failed' in message) this.#task?.reject(new UnreadableRecording(message.failed ?? DAMAGED));
    else if ('read' in message) {
      const answered = this.#answer(message).finally(() => this.#underWay.delete(answered));
      this.#underWay.add(answered);
    }
  };

  // Out of memory, most likely: no sound file makes a parser need so much.
  readonly #exited = (): void => this.#end(new UnreadableRecording(DAMAGED));

  async #answer({ read, start, end }: Extract<FromThread, { read: number }>): Promise<void> {
    this.#bytesRead += end - start;
    if (this.#bytesRead > MOST_READINGS * this.#file.file.size + ALWAYS_ALLOWED_BYTES)
      return this.#end(new UnreadableRecording(DAMAGED));
    try {
      const bytes = await readFully(this.#file, start, end);
      this.#worker.postMessage({ read, bytes } satisfies ToThread, bytes ? [bytes.buffer] : []);
    } catch (error) {
      // The file is not at fault: it must not look damaged.
      this.#end(error);
    }
  }

  #watch(ms: number): void {
    clearTimeout(this.#stalled);
    this.#stalled = setTimeout(() => this.#end(this.#stallError()), ms);
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #end(why: unknown): void {
    this.#ended ??= why;
    this.#task?.reject(this.#ended);
    void this.#worker.terminate();
  }

  #stallError(): Error {
    return this.#underWay.size > 0
      ? new FileStoreError('unavailable', 'The file store takes too long to read the recording.')
      : new UnreadableRecording('This recording takes too long to read: it is damaged.');
  }
}
