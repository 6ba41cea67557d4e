import { WebSocket } from 'ws';
import { type Channel, ClientMessage, type LiveMessage } from '#contracts/live.ts';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { Log } from '#server/ports/log.ts';

/** Unsent bytes after which a socket is too slow: it is closed, and its browser reconnects. */
const MAX_BACKLOG_BYTES = 256 * 1024;
const PING_INTERVAL_MS = 30_000;
/** Messages of one socket between two pings. A page subscribes once. */
const MAX_MESSAGES = 100;

export interface SocketLimits {
  total: number;
  perSession: number;
}

export interface SocketOwner {
  /** The name of the session that opened the socket. */
  session: string;
  accountId: number;
}

/** Sessions that may have ended: one, all of an account, or any. */
export type EndedSessions = { session: string } | { accountId: number } | 'any';

interface Client extends SocketOwner {
  channels: Set<Channel>;
  isAlive: boolean;
  /** Since the last ping. */
  messageCount: number;
}

/** The browsers that are connected to this process. */
export class LiveSockets {
  readonly #clients = new Map<WebSocket, Client>();
  readonly #log: Log;
  readonly #limits: SocketLimits;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(log: Log, limits: SocketLimits) {
    this.#log = log;
    this.#limits = limits;
    this.#heartbeat = setInterval(() => this.#ping(), PING_INTERVAL_MS).unref();
  }

  get size(): number {
    return this.#clients.size;
  }

  hasSubscribers(channel: Channel): boolean {
    return this.#clients.values().some((client) => client.channels.has(channel));
  }

  /** The limit that another socket of this session would exceed; null for none. */
  exceededLimit(session: string): keyof SocketLimits | null {
    if (this.#clients.size >= this.#limits.total) return 'total';
    let ofSession = 0;
    for (const client of this.#clients.values()) if (client.session === session) ofSession += 1;
    return ofSession >= this.#limits.perSession ? 'perSession' : null;
  }

  add(socket: WebSocket, owner: SocketOwner): void {
    this.#clients.set(socket, { ...owner, channels: new Set<Channel>(), isAlive: true, messageCount: 0 });
    socket.on('message', (data) => this.#receive(socket, String(data)));
    socket.on('pong', () => this.#markAlive(socket));
    socket.on('close', () => this.#clients.delete(socket));
    socket.on('error', (error) => this.#log.debug({ err: error }, 'socket failed'));
  }

  /** Sends to every socket, or to the subscribers of a channel. The message is encoded once. */
  send(message: LiveMessage, channel?: Channel): void {
    this.#sendTo((client) => !channel || client.channels.has(channel), message);
  }

  #sendTo(isReceiver: (client: Client) => boolean, message: LiveMessage): void {
    const frame = Buffer.from(JSON.stringify(message));
    for (const [socket, client] of this.#clients) {
      if (!isReceiver(client)) continue;
      if (socket.readyState !== WebSocket.OPEN) continue;
      if (socket.bufferedAmount > MAX_BACKLOG_BYTES) socket.terminate();
      else socket.send(frame, { binary: false, compress: false });
    }
  }

  sendToAccount(accountId: number, message: LiveMessage): void {
    this.#sendTo((client) => client.accountId === accountId, message);
  }

  /** Returns the ended sessions that have a socket here. */
  sessionsOf(ended: EndedSessions): ReadonlySet<string> {
    const mayHaveEnded = (client: Client) =>
      ended === 'any' || ('session' in ended ? client.session === ended.session : client.accountId === ended.accountId);
    return new Set([...this.#clients.values()].filter(mayHaveEnded).map(({ session }) => session));
  }

  /** Closes the sockets of ended sessions with 1008 (policy violation). */
  closeSessions(sessions: ReadonlySet<string>): void {
    for (const [socket, { session }] of this.#clients)
      if (sessions.has(session)) socket.close(1008, 'The session has ended');
  }

  /**
   * Closes all sockets with 1012 (service restart): the browsers reconnect and read everything
   * again.
   */
  reconnect(): void {
    for (const socket of this.#clients.keys()) socket.close(1012, 'Please connect again');
  }

  /** Closes all sockets with 1001 (going away): the browsers reconnect. */
  close(): void {
    clearInterval(this.#heartbeat);
    for (const socket of this.#clients.keys()) socket.close(1001, 'The server is restarting');
  }

  #receive(socket: WebSocket, text: string): void {
    const client = this.#clients.get(socket);
    if (!client) return;
    client.messageCount += 1;
    if (client.messageCount > MAX_MESSAGES) {
      socket.close(1008, 'Too many messages');
      return;
    }
    const message = ClientMessage.safeParse(parseJson(text));
    if (message.success) client.channels.add(message.data.channel);
    else this.#log.debug('ignored an unknown message of a socket');
  }

  #markAlive(socket: WebSocket): void {
    const client = this.#clients.get(socket);
    if (client) client.isAlive = true;
  }

  /** A half-open connection does not respond to a ping and is closed at the next one. */
  #ping(): void {
    for (const [socket, client] of this.#clients) {
      if (!client.isAlive) {
        socket.terminate();
        continue;
      }
      client.isAlive = false;
      client.messageCount = 0;
      socket.ping();
    }
  }
}
