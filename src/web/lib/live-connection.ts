import type { Channel } from '#contracts/live.ts';
import type { ReceivedMessage } from './live-message.ts';
import { logError, logWarning } from './log.ts';

const FIRST_RECONNECT_DELAY_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 30_000;
/**
 * The server stops (1001), was killed (1006) or asks for a new connection (1012). All its browsers
 * then reconnect, so each adds a random delay of up to 3 s.
 */
const RESTART_CODES = [1001, 1006, 1012];
const RESTART_SPREAD_MS = 3_000;

/** The socket of the page's own host, encrypted when the page is. */
const socketUrl = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;

/** Loaded once the socket is open, not with the first screen: the schemas import zod. */
const loadReader = () => import('./live-message.ts');

type Handler = (message: ReceivedMessage) => void;

/**
 * One socket to the server, kept open between `start` and `stop`. It reconnects after 5 s, then
 * with doubling delays up to 30 s, and subscribes again.
 */
export class LiveConnection {
  connected = false;
  /** True once the socket was lost or could not be opened: messages may have been missed. */
  hasGap = false;
  /** The most recent message received. */
  latest: ReceivedMessage | null = null;

  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delayMs = FIRST_RECONNECT_DELAY_MS;
  readonly #handlers = new Set<Handler>();
  readonly #watchers = new Set<() => void>();
  readonly #channels = new Map<Channel, number>();

  start(): void {
    if (this.#socket || this.#timer) return;
    this.#open();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.hasGap = false;
    this.#setConnected(false);
  }

  /** Adds a handler for every message. Returns a function that removes it. */
  listen(handler: Handler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Calls `watcher` when `connected` has changed. Returns a function that stops. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /**
   * Subscribes to a channel now and after every reconnect, until the returned function is called.
   */
  subscribe(channel: Channel): () => void {
    const count = this.#channels.get(channel) ?? 0;
    this.#channels.set(channel, count + 1);
    if (count === 0 && this.connected) this.#send({ type: 'subscribe', channel });
    return () => {
      const left = (this.#channels.get(channel) ?? 1) - 1;
      if (left > 0) this.#channels.set(channel, left);
      else this.#channels.delete(channel);
    };
  }

  #open(): void {
    const socket = new WebSocket(socketUrl());
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#delayMs = FIRST_RECONNECT_DELAY_MS;
      this.#setConnected(true);
      loadReader().catch(() => {});
      for (const channel of this.#channels.keys()) this.#send({ type: 'subscribe', channel });
    };
    socket.onmessage = (event) => this.#receive(socket, String(event.data));
    socket.onerror = (event) => {
      if (this.#socket === socket) logError('The live connection failed', event);
    };
    socket.onclose = ({ code }) => {
      // A socket closed by `stop` must not reconnect.
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.hasGap = true;
      this.#setConnected(false);
      const spreadMs = RESTART_CODES.includes(code) ? Math.random() * RESTART_SPREAD_MS : 0;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#open();
      }, this.#delayMs + spreadMs);
      this.#delayMs = Math.min(this.#delayMs * 2, MAX_RECONNECT_DELAY_MS);
    };
  }

  #send(message: object): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      logWarning('The live connection is closed: nothing was sent');
      return;
    }
    this.#socket.send(JSON.stringify(message));
  }

  async #receive(socket: WebSocket, text: string): Promise<void> {
    let message: ReceivedMessage;
    try {
      const { readLiveMessage } = await loadReader();
      message = readLiveMessage(text);
    } catch (cause) {
      logError('A live message is invalid', cause);
      return;
    }
    // After `stop` the next user must not receive messages meant for the previous one.
    if (this.#socket !== socket) return;
    this.latest = message;
    for (const handler of this.#handlers) handler(message);
  }

  #setConnected(connected: boolean): void {
    if (this.connected === connected) return;
    this.connected = connected;
    for (const watcher of this.#watchers) watcher();
  }
}
