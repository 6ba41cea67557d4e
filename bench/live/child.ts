import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A forked script of this folder that answers each message with one message. */
export class Child {
  readonly #process: ChildProcess;

  constructor(script: string) {
    this.#process = fork(new URL(script, import.meta.url).pathname, { execArgv: [] });
  }

  async ask<Answer = unknown>(question: object): Promise<Answer> {
    const settled = new AbortController();
    const { signal } = settled;
    const ended = once(this.#process, 'exit', { signal }).then(([code]) => {
      throw new Error(`${this.#process.spawnargs.at(-1)} ended with ${code}.`);
    });
    const answered = once(this.#process, 'message', { signal });
    ended.catch(() => {});
    this.#process.send(question);
    const [answer] = (await Promise.race([answered, ended])) as [Answer];
    settled.abort();
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}
