import { Worker } from 'node:worker_threads';
import type { ReadableFile } from '#server/ports/file-store.ts';
import type { FromInspection, ToInspection } from './inspection-messages.ts';

/** A refresh asks again soon; after that, the memory is of more use elsewhere. */
const IDLE_MS = 5_000;
/** No table of a real recording is larger; a broken file may claim anything. */
const LONGEST_READ = 64 * 2 ** 20;
const MEMORY_MB = 192;

/**
 * A thread that looks into one file after another. A damaged file can keep a parser busy for minutes, or make it ask for gigabytes: in
 * a thread it delays nobody, and it can be ended.
 */
export class InspectionThread {
  readonly #limitMs: number;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Seconds, or null when the file says nothing, cannot be read or takes too long. The file is not touched afterwards. */
  durationOf(file: ReadableFile): Promise<number | null> {
    // A thread that cannot be made is no answer about this file, and no reason for the next one to fail.
    const found = this.#last.then(() => this.#inspect(file)).catch(() => null);
    this.#last = found;
    return found;
  }

  async #inspect(file: ReadableFile): Promise<number | null> {
    const worker = this.#start();
    const { promise: found, resolve: finish } = Promise.withResolvers<number | null>();
    const underWay = new Set<Promise<void>>();
    const heard = (message: FromInspection) => {
      if ('found' in message) return finish(message.found);
      const answered = answer(worker, file, message).finally(() => underWay.delete(answered));
      underWay.add(answered);
    };
    const ended = () => finish(null);
    const limit = setTimeout(() => void worker.terminate(), this.#limitMs);
    worker.on('message', heard).on('exit', ended).ref();
    worker.postMessage({ inspect: { size: file.file.size } } satisfies ToInspection);
    try {
      return await found;
    } finally {
      clearTimeout(limit);
      worker.off('message', heard).off('exit', ended).unref();
      await Promise.all(underWay);
      this.#endWhenIdle();
    }
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./inspection.worker.ts', import.meta.url), {
      name: 'media inspection',
      // It reads what strangers made, so it knows nothing of ours; what it prints about their mistakes is nobody's concern.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const gone = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    // Out of memory is an error here; `exit` follows it.
    worker.on('error', gone).on('exit', gone);
    this.#worker = worker;
    return worker;
  }

  #endWhenIdle(): void {
    this.#idle = setTimeout(() => void this.#worker?.terminate(), IDLE_MS).unref();
  }
}

async function answer(
  worker: Worker,
  file: ReadableFile,
  { read, start, end }: Extract<FromInspection, { read: number }>,
): Promise<void> {
  const bytes = await readFully(file, start, end).catch(() => null);
  worker.postMessage({ read, bytes } satisfies ToInspection, bytes ? [bytes.buffer] : []);
}

/** Null where the file ends early. */
async function readFully(file: ReadableFile, start: number, end: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (end - start > LONGEST_READ) return null;
  const bytes = new Uint8Array(end - start);
  for (let filled = 0; filled < bytes.length; ) {
    const read = await file.read(bytes.subarray(filled), start + filled);
    if (read === 0) return null;
    filled += read;
  }
  return bytes;
}
