import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

/** Longer than the product's own stop limit. */
const STOP_LIMIT_MS = 30_000;

/** A forked script that responds to each message with one message. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #ended = new AbortController();

  constructor(script: URL, args: readonly string[] = [], options: ForkOptions = {}) {
    this.#process = fork(script, args, options);
    const fail = (code: number | null) => this.#ended.abort(new Error(`${script.pathname} ended with ${code}.`));
    this.#process.once('exit', fail);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Returns its next message. @throws AbortError when the process ends instead */
  async receive<Message>(): Promise<Message> {
    const [message] = await once(this.#process, 'message', { signal: this.#ended.signal });
    return message;
  }

  ask<Message = unknown>(request: object): Promise<Message> {
    const response = this.receive<Message>();
    this.#process.send(request);
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#process.kill('SIGTERM');
    const signal = AbortSignal.timeout(STOP_LIMIT_MS);
    await once(this.#process, 'exit', { signal }).catch(async () => {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    });
  }
}

/** The load of `load-client.ts` in its own process. */
export const startLoadClient = () => new Child(new URL('./load-client.ts', import.meta.url));

/** The server of `bare-server.ts` in its own process, with the file that it reads or writes. */
export async function startBareServer(path: string): Promise<Child & { port: number }> {
  const server = new Child(new URL('./bare-server.ts', import.meta.url), [path]);
  return Object.assign(server, await server.receive<{ port: number }>());
}
