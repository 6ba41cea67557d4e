import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { UpstreamError } from '#server/ports/upstream-error.ts';

export type ClamdAddress = { path: string } | { host: string; port: number };

/** Responses are one line; anything longer does not come from clamd. */
const MAX_RESPONSE_BYTES = 4_096;

/** One command to clamd over its own connection, and the one line that it returns. */
export class ClamdCall {
  readonly #socket: Socket;
  readonly #response = Promise.withResolvers<string>();
  #isSettled = false;

  constructor(address: ClamdAddress, idleMs: number, signal: AbortSignal) {
    // Half open, so that a response sent before clamd stopped reading still arrives.
    this.#socket = connect({ ...address, signal, allowHalfOpen: true } satisfies NetConnectOpts);
    this.#response.promise.catch(() => {});
    let text = '';
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (piece: string) => {
      text += piece;
      const end = text.search(/[\0\n]/);
      if (end >= 0) this.#resolve(text.slice(0, end));
      else if (text.length > MAX_RESPONSE_BYTES) this.#fail();
    });
    this.#socket.on('end', () => this.#fail());
    this.#socket.on('error', (cause) => this.#fail(cause));
    this.#socket.on('close', () => this.#fail());
    this.#socket.on('timeout', () => this.#fail(new Error(`clamd was silent for ${this.#socket.timeout} ms`)));
    this.#socket.setTimeout(idleMs);
  }

  /** True when nothing more needs to be sent: the response has arrived or never will. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /**
   * Resolves when the bytes were sent and the buffer may be reused. The response shows whether they
   * arrived.
   */
  send(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /**
   * Returns the line without its end. Waits at most `withinMs` between bytes.
   * @throws UpstreamError `unavailable`
   */
  readResponse(withinMs: number): Promise<string> {
    this.#socket.setTimeout(withinMs);
    return this.#response.promise;
  }

  close(): void {
    this.#fail();
    this.#socket.destroy();
  }

  #resolve(line: string): void {
    this.#isSettled = true;
    this.#response.resolve(line);
    // clamd stops reading after its verdict. Abort the write, or it never finishes.
    this.#socket.destroy();
  }

  #fail(cause?: Error): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const message = "The virus scanner isn't responding, so no files were downloaded. We'll retry at the next refresh.";
    this.#response.reject(new UpstreamError('scanner', 'unavailable', message, { cause }));
    this.#socket.destroy();
  }
}
