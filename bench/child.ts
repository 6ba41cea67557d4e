import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A forked script that answers each message with one message. */
export class Child {
  readonly #process: ChildProcess;

  constructor(script: URL, argument = '') {
    this.#process = fork(script, [argument]);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Returns its next message. @throws Error when the process ends instead */
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

  ask<Answer = unknown>(question: object): Promise<Answer> {
    const answer = this.receive<Answer>();
    this.#process.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}
