import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { UpstreamError } from '#server/ports/upstream-error.ts';

export type ClamdAddress = { path: string } | { host: string; port: number };

/** An answer is a line; whoever sends more is no clamd. */
const LONGEST_ANSWER = 4_096;

/** One command to clamd, on a connection of its own: what is sent, and the one line that comes back. */
export class ClamdCall {
  readonly #socket: Socket;
  readonly #answer = Promise.withResolvers<string>();
  #answered = false;

  constructor(address: ClamdAddress, idleMs: number) {
    // Half open: what clamd said before it stopped listening still reaches us.
    this.#socket = connect({ ...address, allowHalfOpen: true } satisfies NetConnectOpts);
    this.#answer.promise.catch(() => {});
    let text = '';
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (piece: string) => {
      text += piece;
      const end = text.search(/[\0\n]/);
      if (end >= 0) this.#resolve(text.slice(0, end));
      else if (text.length > LONGEST_ANSWER) this.#fail();
    });
    this.#socket.on('end', () => this.#fail());
    this.#socket.on('error', (cause) => this.#fail(cause));
    this.#socket.on('close', () => this.#fail());
    this.#socket.on('timeout', () => this.#fail(new Error(`clamd was silent for ${this.#socket.timeout} ms`)));
    this.#socket.setTimeout(idleMs);
  }

  /** True when nothing more needs to be sent: the answer is here, or will never come. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Resolves when the bytes are on their way and may be used again; whether they arrive, the answer tells. */
  send(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** The line, without its end; waits at most `withinMs` without a word. @throws UpstreamError `unavailable` */
  answer(withinMs: number): Promise<string> {
    this.#socket.setTimeout(withinMs);
    return this.#answer.promise;
  }

  close(): void {
    this.#fail();
    this.#socket.destroy();
  }

  #resolve(line: string): void {
    this.#answered = true;
    this.#answer.resolve(line);
    // Whoever has said no takes nothing more: what is still being sent would wait for ever.
    this.#socket.destroy();
  }

  #fail(cause?: Error): void {
    if (this.#answered) return;
    this.#answered = true;
    const message = 'The virus scanner does not answer, so no file is taken in. The next refresh tries again.';
    this.#answer.reject(new UpstreamError('scanner', 'unavailable', message, { cause }));
    this.#socket.destroy();
  }
}
