import { sql } from 'kysely';
import pg from 'pg';
import type { Executor } from '#server/db/database.ts';
import type { Log } from '#server/ports/log.ts';

/** Processes announce a topic and the id of what changed, never the data itself. */
export type Topic =
  | 'bulk'
  | 'devices'
  | 'edit'
  | 'funnels'
  | 'interviews'
  | 'jobs'
  | 'log'
  | 'session'
  | 'step'
  | 'step-of-bulk'
  | 'sync'
  | 'sync-cancel'
  | 'unwatched'
  | 'upload-takeover';

const CHANNEL = 'interviews_live';
const RECONNECT_DELAY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** How often the connection must answer. */
const PING_INTERVAL_MS = 300;
/** Within this time of an answer, no announcement can be missing. Sessions end within a second. */
const TRUSTED_MS = 900;
/** After about 5 s without an answer, the connection is replaced. */
const MAX_SILENT_PINGS = 16;

/**
 * Notifies every process, this one included, that something changed. In a transaction the message
 * is delivered at the commit, and dropped at a rollback (PostgreSQL manual, NOTIFY).
 */
export async function announce(db: Executor, topic: Topic, id: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${`${topic} ${id}`})`.execute(db);
}

type Listener = (id: string) => void;

/**
 * Receives the announcements of all processes over a dedicated connection, and reconnects after a
 * break.
 */
export interface LiveBus {
  on(topic: Topic, listener: Listener): void;
  /**
   * Called when the connection breaks and when it is back: announcements in between were missed.
   */
  onGap(listener: () => void): void;
  /**
   * False while the connection is broken or does not answer: caches that rely on announcements may
   * then be stale.
   */
  readonly connected: boolean;
  /** Resolves when the bus receives announcements; rejects when the database cannot be reached. */
  readonly opened: Promise<void>;
  close(): Promise<void>;
}

/** Listeners can be added at once. Announcements before `opened` may be missed. */
export function openLiveBus(connectionString: string, log: Log): LiveBus {
  const listeners = new Map<Topic, Listener[]>();
  const gapListeners: (() => void)[] = [];
  let client: pg.Client | null = null;
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  /** When the latest answered ping was sent. */
  let confirmedAt = 0;
  let silentPings = 0;

  /** A network that drops packets breaks a connection without an error. */
  const ping = async () => {
    const asked = client;
    if (!asked) return;
    silentPings += 1;
    if (silentPings > MAX_SILENT_PINGS) asked.connection.stream.destroy();
    if (silentPings > 1) return;
    const sentAt = performance.now();
    await asked.query('SELECT 1').catch(() => {});
    if (asked !== client) return;
    confirmedAt = sentAt;
    silentPings = 0;
  };
  const pings = setInterval(() => void ping(), PING_INTERVAL_MS).unref();

  const receive = ({ payload = '' }: pg.Notification) => {
    const space = payload.indexOf(' ');
    for (const listener of listeners.get(payload.slice(0, space) as Topic) ?? []) listener(payload.slice(space + 1));
  };

  const open = async () => {
    const next = new pg.Client({
      connectionString,
      application_name: 'interviews live',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    next.on('notification', receive);
    next.on('error', (error) => log.warn({ err: error }, 'the live connection to the database broke'));
    next.on('end', disconnected);
    await next.connect();
    const startedAt = performance.now();
    await next.query(`LISTEN ${CHANNEL}`);
    confirmedAt = startedAt;
    silentPings = 0;
    // `close` may have run in the meantime and did not know this client.
    if (isClosing) await next.end();
    else client = next;
  };
  const disconnected = () => {
    const wasConnected = client !== null;
    client = null;
    if (isClosing) return;
    // Caches must stop trusting announcements now, not only when the connection is back.
    if (wasConnected) for (const listener of gapListeners) listener();
    clearTimeout(timer);
    timer = setTimeout(reopen, RECONNECT_DELAY_MS);
  };
  const reopen = () =>
    open().then(
      () => {
        for (const listener of gapListeners) listener();
      },
      () => disconnected(),
    );

  const opened = open();
  // Callers await `opened`; this only prevents an unhandled rejection.
  opened.catch(() => {});
  return {
    opened,
    on: (topic, listener) => listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: (listener) => gapListeners.push(listener),
    get connected() {
      return client !== null && performance.now() - confirmedAt < TRUSTED_MS;
    },
    async close() {
      isClosing = true;
      clearTimeout(timer);
      clearInterval(pings);
      await opened.catch(() => {});
      await client?.end();
    },
  };
}
