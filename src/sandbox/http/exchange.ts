import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { Journal } from './journal.ts';

const CHANNEL_IS_FULL = false;

interface ExchangeOptions {
  /** Null: the request is not recorded. */
  journal: Journal | null;
  faultsFor(exchange: Exchange): RequestFaults;
}

/** A request and its response. The journal records everything that is sent through it. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Decoded if possible, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly faults: RequestFaults;
  readonly #note: ReturnType<Journal['arrived']> | null;

  constructor(request: IncomingMessage, response: ServerResponse, { journal, faultsFor }: ExchangeOptions) {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    this.request = request;
    this.response = response;
    this.method = request.method ?? 'GET';
    this.path = decodePath(mark < 0 ? url : url.slice(0, mark));
    this.query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
    this.faults = faultsFor(this);
    this.#note =
      journal?.arrived({
        method: this.method,
        path: this.path,
        query: Object.fromEntries(this.query),
        range: request.headers.range ?? null,
        status: 0,
        bytes: 0,
        at: Date.now(),
      }) ?? null;
    response.once('close', () => this.#note?.ended());
  }

  get isOver(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  head(status: number, headers: OutgoingHttpHeaders): void {
    this.response.writeHead(status, headers);
    this.#note?.headersSent(status);
  }

  /**
   * Sends part of the body. Resolves when the connection accepts more, or immediately if it is
   * closed.
   */
  async write(chunk: Buffer): Promise<void> {
    if (this.isOver) return;
    this.#note?.bytesSent(chunk.length);
    if (this.response.write(chunk) === CHANNEL_IS_FULL) await this.#drained();
  }

  end(body?: Buffer): void {
    if (body) this.#note?.bytesSent(body.length);
    this.response.end(body);
  }

  /** Sends a complete body. */
  send(status: number, contentType: string, body: Buffer, headers: OutgoingHttpHeaders = {}): void {
    if (this.isOver) return;
    this.head(status, { ...headers, 'content-type': contentType, 'content-length': body.length });
    this.end(this.method === 'HEAD' ? undefined : body);
  }

  json(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): void {
    this.send(status, 'application/json', Buffer.from(JSON.stringify(value)), headers);
  }

  /** Sends the error body of the contract. */
  fail(status: number, error: string, message: string, headers: OutgoingHttpHeaders = {}): void {
    this.json(status, { error, message }, headers);
  }

  /** Closes the connection with a reset instead of an orderly end. */
  reset(): void {
    this.request.socket.resetAndDestroy();
  }

  /** Closes the connection in an orderly way, regardless of the promised length. */
  hangUp(): void {
    this.request.socket.end();
  }

  #drained(): Promise<void> {
    const { response } = this;
    return new Promise((resolve) => {
      const done = () => {
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.once('drain', done);
      response.once('close', done);
    });
  }
}

/** Decodes the path of a URL, or a segment of it; returns an invalid one unchanged. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Waits for `ms`, or until the client disconnects. */
export function sleepWhileConnected(exchange: Exchange, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const { response } = exchange;
    const done = () => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.once('close', done);
    if (response.destroyed) done();
  });
}

/** @throws SyntaxError for a body that is not JSON */
export const readJson = (request: IncomingMessage): Promise<unknown> => json(request);
