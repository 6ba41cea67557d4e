import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

/** Longer than the product's own stop limit. */
const STOP_LIMIT_MS = 30_000;

/** A forked script that answers each message with one message. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;

  constructor(script: URL, args: readonly string[] = [], options: ForkOptions = {}) {
    this.#process = fork(script, args, options);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Returns its next message. @throws Error when the process ends instead */
  receive<Answer>(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fail = (code: number | null) => reject(new Error(`${this.#process.spawnargs.at(-1)} ended with ${code}.`));
      this.#process.once('exit', fail).once('message', (message) => {
        this.#process.off('exit', fail);
        resolve(message as Answer);
      });
    });
  }

  ask<Answer = unknown>(question: object): Promise<Answer> {
    const answer = this.receive<Answer>();
    this.#process.send(question);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const late = setTimeout(() => this.#process.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(late);
  }
}

/** The load of `load-client.ts` in its own process. */
export const startLoadClient = () => new Child(new URL('./load-client.ts', import.meta.url));

/** The server of `bare-server.ts` in its own process, with the file that it reads or writes. */
export async function startBareServer(path: string): Promise<{ bare: Child; port: number }> {
  const bare = new Child(new URL('./bare-server.ts', import.meta.url), [path]);
  return { bare, ...(await bare.receive<{ port: number }>()) };
}
