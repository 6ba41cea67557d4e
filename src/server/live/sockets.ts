import type { FastifyBaseLogger } from 'fastify';
import { WebSocket } from 'ws';
import { type Channel, ClientMessage, type LiveMessage } from '#contracts/live.ts';

/** A socket that has not read this many bytes is too slow to be live; it is closed and its browser connects anew. */
const BACKLOG_LIMIT = 256 * 1024;
const PING_MS = 30_000;
/** Messages of one socket between two pings. A page subscribes once. */
const MOST_MESSAGES = 100;

/** How many sockets there may be. */
export interface SocketLimits {
  total: number;
  perSession: number;
}

/** Who opened a socket. */
export interface SocketOwner {
  /** The name of its session. */
  session: string;
  accountId: number;
}

/** Which sessions may have ended: one of them, any of an account, or any at all. */
export type EndedSessions = { session: string } | { accountId: number } | 'any';

interface Client extends SocketOwner {
  channels: Set<Channel>;
  alive: boolean;
  /** Messages since the last ping. */
  heard: number;
}

/** The browsers that are connected to this process. */
export class LiveSockets {
  readonly #clients = new Map<WebSocket, Client>();
  readonly #log: FastifyBaseLogger;
  readonly #heartbeat: NodeJS.Timeout;

  readonly #limits: SocketLimits;

  constructor(log: FastifyBaseLogger, limits: SocketLimits) {
    this.#log = log;
    this.#limits = limits;
    this.#heartbeat = setInterval(() => this.#ping(), PING_MS).unref();
  }

  get size(): number {
    return this.#clients.size;
  }

  hasSubscribers(channel: Channel): boolean {
    return this.#clients.values().some((client) => client.channels.has(channel));
  }

  /** Why no further socket of this session is taken; null when one is. */
  refusal(session: string): 'too many' | 'too many of this session' | null {
    if (this.#clients.size >= this.#limits.total) return 'too many';
    let own = 0;
    for (const client of this.#clients.values()) if (client.session === session) own += 1;
    return own >= this.#limits.perSession ? 'too many of this session' : null;
  }

  add(socket: WebSocket, owner: SocketOwner): void {
    this.#clients.set(socket, { ...owner, channels: new Set<Channel>(), alive: true, heard: 0 });
    socket.on('message', (data) => this.#read(socket, String(data)));
    socket.on('pong', () => this.#update(socket, { alive: true }));
    socket.on('close', () => this.#clients.delete(socket));
    socket.on('error', (error) => this.#log.debug({ err: error }, 'socket failed'));
  }

  /** Sends to every socket, or to the subscribers of a channel. The message is encoded once. */
  send(message: LiveMessage, channel?: Channel): void {
    const frame = Buffer.from(JSON.stringify(message));
    for (const [socket, client] of this.#clients) {
      if (channel && !client.channels.has(channel)) continue;
      if (socket.readyState !== WebSocket.OPEN) continue;
      if (socket.bufferedAmount > BACKLOG_LIMIT) socket.terminate();
      else socket.send(frame, { binary: false, compress: false });
    }
  }

  /** The sessions that have a socket here, of those that may have ended. */
  sessionsOf(ended: EndedSessions): ReadonlySet<string> {
    const mayHaveEnded = (client: Client) =>
      ended === 'any' || ('session' in ended ? client.session === ended.session : client.accountId === ended.accountId);
    return new Set([...this.#clients.values()].filter(mayHaveEnded).map(({ session }) => session));
  }

  /** Closes the sockets of these sessions, which have ended (1008, policy violation). */
  dropSessions(sessions: ReadonlySet<string>): void {
    for (const [socket, { session }] of this.#clients)
      if (sessions.has(session)) socket.close(1008, 'The session has ended');
  }

  /** Lets every browser connect anew (1012, service restart): each reads what it shows again. */
  reconnect(): void {
    for (const socket of this.#clients.keys()) socket.close(1012, 'Please connect again');
  }

  /** Says goodbye (1001, going away): browsers reconnect by themselves. */
  close(): void {
    clearInterval(this.#heartbeat);
    for (const socket of this.#clients.keys()) socket.close(1001, 'The server is restarting');
  }

  #read(socket: WebSocket, text: string): void {
    const client = this.#clients.get(socket);
    if (!client) return;
    client.heard += 1;
    if (client.heard > MOST_MESSAGES) {
      socket.close(1008, 'Too many messages');
      return;
    }
    const message = ClientMessage.safeParse(parseJson(text));
    if (message.success) client.channels.add(message.data.channel);
    else this.#log.debug('a socket sent a message that is none of ours');
  }

  #update(socket: WebSocket, change: Partial<Client>): void {
    const client = this.#clients.get(socket);
    if (client) Object.assign(client, change);
  }

  /** A half-open connection answers no ping and is dropped at the next one. */
  #ping(): void {
    for (const [socket, client] of this.#clients) {
      if (!client.alive) {
        socket.terminate();
        continue;
      }
      client.alive = false;
      client.heard = 0;
      socket.ping();
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
