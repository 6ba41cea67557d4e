import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process beside this one that answers one message with one message. */
export class Child {
  readonly #process: ChildProcess;

  constructor(script: string, argument = '') {
    this.#process = fork(new URL(script, import.meta.url), [argument]);
  }

  /** What it says next. */
  async hear<Answer>(): Promise<Answer> {
    const listening = new AbortController();
    const { signal } = listening;
    const ended = once(this.#process, 'exit', { signal }).then(([code]) => {
      throw new Error(`${this.#process.spawnargs.at(-2)} ended with ${code}.`);
    });
    const heard = once(this.#process, 'message', { signal }).then(([message]) => message as Answer);
    try {
      return await Promise.race([heard, ended]);
    } finally {
      // The one that did not happen is rejected here, and nobody waits for it any more.
      for (const other of [heard, ended]) other.catch(() => {});
      listening.abort();
    }
  }

  ask<Answer>(question: object): Promise<Answer> {
    const answer = this.hear<Answer>();
    this.#process.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.disconnect();
    await ended;
  }
}
