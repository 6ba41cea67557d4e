import type { FastifyBaseLogger } from 'fastify';
import { WebSocket } from 'ws';
import { type Channel, ClientMessage, type LiveMessage } from '#contracts/live.ts';

/** A socket that has not read this many bytes is too slow to be live; it is closed and its browser connects anew. */
const BACKLOG_LIMIT = 1024 * 1024;
const PING_MS = 30_000;

interface Client {
  channels: Set<Channel>;
  alive: boolean;
  /** Whether whoever opened the socket is still signed in. */
  isWelcome: () => Promise<boolean>;
}

/** The browsers that are connected to this process. */
export class LiveSockets {
  readonly #clients = new Map<WebSocket, Client>();
  readonly #log: FastifyBaseLogger;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
    this.#heartbeat = setInterval(() => this.#ping(), PING_MS).unref();
  }

  get size(): number {
    return this.#clients.size;
  }

  hasSubscribers(channel: Channel): boolean {
    return this.#clients.values().some((client) => client.channels.has(channel));
  }

  add(socket: WebSocket, isWelcome: () => Promise<boolean>): void {
    const client = { channels: new Set<Channel>(), alive: true, isWelcome };
    this.#clients.set(socket, client);
    socket.on('message', (data) => this.#read(socket, String(data)));
    socket.on('pong', () => this.#update(socket, { alive: true }));
    socket.on('close', () => this.#clients.delete(socket));
    socket.on('error', (error) => this.#log.debug({ err: error }, 'socket failed'));
    // Its session may have ended between the upgrade and here, and that news has passed already.
    void dropUnlessWelcome(socket, client);
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

  /** Closes the sockets of sessions that have ended (1008, policy violation). */
  async dropUnwelcome(): Promise<void> {
    for (const [socket, client] of [...this.#clients]) await dropUnlessWelcome(socket, client);
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
    const message = ClientMessage.safeParse(parseJson(text));
    if (message.success) this.#clients.get(socket)?.channels.add(message.data.channel);
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
      socket.ping();
    }
  }
}

/** Nobody is sent away because the database does not answer. */
async function dropUnlessWelcome(socket: WebSocket, { isWelcome }: Client): Promise<void> {
  if (!(await isWelcome().catch(() => true))) socket.close(1008, 'The session has ended');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
