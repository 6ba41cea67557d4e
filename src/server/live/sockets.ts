import { WebSocket } from 'ws';
import { type Channel, ClientMessage, type LiveMessage } from '#contracts/live.ts';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { Log } from '#server/ports/log.ts';
import { areSameRights, EVERYONE, type IsReceiver, type Receiver, type Rights } from './receivers.ts';

/** Unsent bytes after which a socket is too slow: it is closed, and its browser reconnects. */
const MAX_BACKLOG_BYTES = 256 * 1024;
const PING_INTERVAL_MS = 30_000;
/** Messages of one socket between two pings. A page subscribes once. */
const MAX_MESSAGES = 100;

export interface SocketLimits {
  total: number;
  perSession: number;
}

export interface SocketOwner extends Receiver {
  /** The name of the session that opened the socket. */
  session: string;
}

/** Sessions that may have ended or changed rights: one, all of an account, or any. */
export type ChangedSessions = { session: string } | { accountId: number } | 'any';

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

  /** Returns the limit that another socket of this session would exceed, or null. */
  exceededLimit(session: string): keyof SocketLimits | null {
    if (this.#clients.size >= this.#limits.total) return 'total';
    const ofSession = [...this.#clients.values()].filter((client) => client.session === session);
    return ofSession.length >= this.#limits.perSession ? 'perSession' : null;
  }

  add(socket: WebSocket, owner: SocketOwner): void {
    const funnelIds = this.#shared(owner.funnelIds);
    const client: Client = { ...owner, funnelIds, channels: new Set(), isAlive: true, messageCount: 0 };
    this.#clients.set(socket, client);
    socket.on('message', (data) => this.#receive(socket, client, String(data)));
    socket.on('pong', () => {
      client.isAlive = true;
    });
    socket.on('close', () => this.#clients.delete(socket));
    socket.on('error', (error) => this.#log.debug({ err: error }, 'socket failed'));
  }

  /** The distinct sets of funnels that the accounts of the sockets see. */
  get visibleFunnels(): ReadonlySet<Rights['funnelIds']> {
    return new Set(this.#clients.values().map(({ funnelIds }) => funnelIds));
  }

  /**
   * Sends to the receivers; with a channel, only to its subscribers. The message is encoded once.
   */
  send(message: LiveMessage, isReceiver: IsReceiver = EVERYONE, channel?: Channel): void {
    let frame: Buffer | undefined;
    for (const [socket, client] of this.#clients) {
      if (channel && !client.channels.has(channel)) continue;
      if (!isReceiver(client)) continue;
      if (socket.readyState !== WebSocket.OPEN) continue;
      frame ??= Buffer.from(JSON.stringify(message));
      if (socket.bufferedAmount > MAX_BACKLOG_BYTES) socket.terminate();
      else socket.send(frame, { binary: false, compress: false });
    }
  }

  sendToAccount(accountId: number, message: LiveMessage): void {
    this.send(message, (receiver) => receiver.accountId === accountId);
  }

  /** Returns the changed sessions that have a socket here. */
  sessionsOf(changed: ChangedSessions): ReadonlySet<string> {
    const mayHaveChanged = ({ session, accountId }: Client) =>
      changed === 'any' || ('session' in changed ? session === changed.session : accountId === changed.accountId);
    return new Set([...this.#clients.values()].filter(mayHaveChanged).map(({ session }) => session));
  }

  /**
   * Closes the sockets of sessions without rights, with 1008 (policy violation), and updates the
   * others. Browsers whose rights have changed reload everything.
   */
  updateSessions(sessions: readonly string[], rights: ReadonlyMap<string, Rights>): void {
    const updated = new Set(sessions);
    for (const [socket, client] of this.#clients) {
      if (!updated.has(client.session)) continue;
      const now = rights.get(client.session);
      if (!now) {
        socket.close(1008, 'The session has ended');
        continue;
      }
      if (areSameRights(client, now)) continue;
      client.role = now.role;
      client.funnelIds = this.#shared(now.funnelIds);
      this.send({ type: 'interviews-changed' }, (receiver) => receiver === client);
    }
  }

  /** Sockets that see the same funnels share one array. */
  #shared(funnelIds: Rights['funnelIds']): Rights['funnelIds'] {
    const key = funnelIds?.join();
    for (const other of this.visibleFunnels) if (other?.join() === key) return other;
    return funnelIds;
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

  #receive(socket: WebSocket, client: Client, text: string): void {
    client.messageCount += 1;
    if (client.messageCount > MAX_MESSAGES) {
      socket.close(1008, 'Too many messages');
      return;
    }
    const message = ClientMessage.safeParse(parseJson(text));
    if (message.success) client.channels.add(message.data.channel);
    else this.#log.debug('ignored an unknown message of a socket');
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
