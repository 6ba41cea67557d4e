import { Worker } from 'node:worker_threads';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { OpenedFile } from './opened-file.ts';

/** Somebody asks again soon; after that, the memory is of more use elsewhere. */
const IDLE_MS = 5_000;
const MEMORY_MB = 192;
/** Packets live shortly; with more room they are only collected later. */
const YOUNG_MB = 2;

/**
 * A thread that opens one recording after another. A damaged file can keep a parser busy for minutes, or make it ask for gigabytes: in
 * a thread it delays nobody, and it can be ended.
 */
export class MediaThread {
  readonly #script: URL;
  readonly #limitMs: number;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** `script` calls `serveFiles`. A task that neither reads nor says that it is alive for `limitMs` is ended, and the thread with it. */
  constructor(script: URL, limitMs: number) {
    this.#script = script;
    this.#limitMs = limitMs;
  }

  /** Waits until the file before is closed. The caller closes what it opens. */
  async open(file: ReadableFile): Promise<OpenedFile> {
    const before = this.#turn;
    const { promise: turn, resolve: pass } = Promise.withResolvers<void>();
    this.#turn = turn;
    await before;
    try {
      return new OpenedFile(this.#start(), file, this.#limitMs, () => {
        this.#endWhenIdle();
        pass();
      });
    } catch (error) {
      // A thread that cannot be made is no reason for the next one to wait for ever.
      pass();
      throw error;
    }
  }

  /** Ends the thread at once, to have its memory back. The next file starts another one. */
  end(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#script, {
      name: 'media',
      // It reads what strangers made, so it knows nothing of ours; what it prints about their mistakes is nobody's concern.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
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
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }
}
