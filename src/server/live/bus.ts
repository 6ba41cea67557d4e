import pg from 'pg';
import type { Log } from '#server/ports/log.ts';
import { CHANNEL, type Topic } from './announce.ts';

const RECONNECT_DELAY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** How often the connection must respond. */
const PING_INTERVAL_MS = 300;
/** Within this time of a response, no announcement can be missing. Sessions end within a second. */
const TRUSTED_MS = 900;
/** After about 5 s without a response, the connection is replaced. */
const MAX_SILENT_PINGS = 16;

type Listener = (id: string) => void;

/**
 * Receives the announcements of all processes over a dedicated connection, and reconnects after a
 * break. Listeners can be added immediately. Announcements before `opened` may be missed.
 */
export class LiveBus {
  /** Resolves when the bus receives announcements; rejects when the database cannot be reached. */
  readonly opened: Promise<void>;
  readonly #connectionString: string;
  readonly #log: Log;
  readonly #listeners = new Map<Topic, Listener[]>();
  readonly #gapListeners: (() => void)[] = [];
  readonly #pings = setInterval(() => void this.#ping(), PING_INTERVAL_MS).unref();
  #client: pg.Client | null = null;
  #isClosing = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the latest acknowledged ping was sent. */
  #confirmedAt = 0;
  #silentPings = 0;

  constructor(connectionString: string, log: Log) {
    this.#connectionString = connectionString;
    this.#log = log;
    this.opened = this.#open();
    // Callers await `opened`; this only prevents an unhandled rejection.
    this.opened.catch(() => {});
  }

  on(topic: Topic, listener: Listener): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  /**
   * Called when the connection breaks and when it is back: announcements in between were missed.
   */
  onGap(listener: () => void): void {
    this.#gapListeners.push(listener);
  }

  /**
   * False while the connection is broken or does not respond: caches that rely on announcements may
   * then be stale.
   */
  get connected(): boolean {
    return this.#client !== null && performance.now() - this.#confirmedAt < TRUSTED_MS;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pings);
    await this.opened.catch(() => {});
    await this.#client?.end();
  }

  async #open(): Promise<void> {
    const next = new pg.Client({
      connectionString: this.#connectionString,
      application_name: 'interviews live',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    next.on('notification', (notification) => this.#receive(notification));
    next.on('error', (error) => this.#log.warn({ err: error }, 'the live connection to the database broke'));
    next.on('end', () => this.#onDisconnected());
    await next.connect();
    const startedAt = performance.now();
    await next.query(`LISTEN ${CHANNEL}`).catch(async (error) => {
      await next.end();
      throw error;
    });
    this.#confirmedAt = startedAt;
    this.#silentPings = 0;
    // `close` may have run in the meantime and did not know this client.
    if (this.#isClosing) await next.end();
    else this.#client = next;
  }

  #receive({ payload = '' }: pg.Notification): void {
    const space = payload.indexOf(' ');
    const id = payload.slice(space + 1);
    for (const listener of this.#listeners.get(payload.slice(0, space) as Topic) ?? []) listener(id);
  }

  /** A network that drops packets breaks a connection without an error. */
  async #ping(): Promise<void> {
    const asked = this.#client;
    if (!asked) return;
    this.#silentPings += 1;
    if (this.#silentPings > MAX_SILENT_PINGS) asked.connection.stream.destroy();
    if (this.#silentPings > 1) return;
    const sentAt = performance.now();
    await asked.query('SELECT 1').catch(() => {});
    if (asked !== this.#client) return;
    this.#confirmedAt = sentAt;
    this.#silentPings = 0;
  }

  #onDisconnected(): void {
    const wasConnected = this.#client !== null;
    this.#client = null;
    if (this.#isClosing) return;
    // Caches must stop trusting announcements now, not only when the connection is back.
    if (wasConnected) this.#reportGap();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#reopen(), RECONNECT_DELAY_MS);
  }

  async #reopen(): Promise<void> {
    try {
      await this.#open();
    } catch {
      return this.#onDisconnected();
    }
    this.#reportGap();
  }

  #reportGap(): void {
    for (const listener of this.#gapListeners) listener();
  }
}
