import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A forked process that answers each message with one message. */
export class Child {
  readonly #process: ChildProcess;

  constructor(script: string, argument = '') {
    this.#process = fork(new URL(script, import.meta.url), [argument]);
  }

  /** Returns its next message. */
  async receive<Answer>(): Promise<Answer> {
    const listening = new AbortController();
    const { signal } = listening;
    const ended = once(this.#process, 'exit', { signal }).then(([code]) => {
      throw new Error(`${this.#process.spawnargs.at(-2)} ended with ${code}.`);
    });
    const received = once(this.#process, 'message', { signal }).then(([message]) => message as Answer);
    try {
      return await Promise.race([received, ended]);
    } finally {
      // abort() rejects the promise that is still pending; nothing awaits it.
      for (const other of [received, ended]) other.catch(() => {});
      listening.abort();
    }
  }

  ask<Answer>(question: object): Promise<Answer> {
    const answer = this.receive<Answer>();
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
