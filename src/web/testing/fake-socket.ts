import { vi } from 'vitest';

/** A WebSocket that the test controls. */
export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];

  readyState = 0;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(code = 1000): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  /** The server accepts the connection. */
  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }
  /** The server sends a message. */
  receive(message: unknown): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }
}

/** Replaces the browser's sockets until the globals are restored. */
export function stubSockets(): typeof FakeSocket {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  return FakeSocket;
}
