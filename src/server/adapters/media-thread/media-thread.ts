import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '#server/async/thread-environment.ts';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { OpenedFile } from './opened-file.ts';

/** The next file usually follows soon; after this time the memory is released. */
const IDLE_TIMEOUT_MS = 5_000;
const MAX_OLD_GENERATION_MB = 192;
/** Packets are short-lived; a larger young generation only delays their collection. */
const MAX_YOUNG_GENERATION_MB = 2;

/**
 * A worker thread that opens one recording after another. A damaged file can keep a parser busy for
 * minutes or make it allocate gigabytes. In a thread it delays no other work and can be terminated.
 */
export class MediaThread {
  readonly #script: URL;
  readonly #limitMs: number;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();

  /**
   * `script` calls `serveFiles`. A task that neither reads nor reports progress for `limitMs` ends
   * with the thread.
   */
  constructor(script: URL, limitMs: number) {
    this.#script = script;
    this.#limitMs = limitMs;
  }

  /** Waits until the previous file is closed. The caller closes the file. */
  async open(file: ReadableFile): Promise<OpenedFile> {
    const before = this.#turn;
    const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>();
    this.#turn = turn;
    await before;
    try {
      return new OpenedFile(this.#start(), file, this.#limitMs, () => {
        this.#endWhenIdle();
        endTurn();
      });
    } catch (error) {
      // A thread that fails to start must not block the next file.
      endTurn();
      throw error;
    }
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#script, {
      name: 'media',
      // The output of the thread is about defects of untrusted files and is discarded.
      env: threadEnvironment(),
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: MAX_OLD_GENERATION_MB,
        maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB,
      },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const onEnd = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    // Running out of memory is an error here; `exit` follows it.
    worker.on('error', onEnd).on('exit', onEnd);
    this.#worker = worker;
    return worker;
  }

  #endWhenIdle(): void {
    this.#idle = setTimeout(() => {
      void this.#worker?.terminate();
      this.#worker = null;
    }, IDLE_TIMEOUT_MS).unref();
  }
}
