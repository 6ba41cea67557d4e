import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import type { Executor } from '../db/database.ts';

/** What processes tell each other: a topic and the id of what changed, never the data itself. */
export type Topic = 'edit' | 'funnels' | 'interviews' | 'jobs' | 'log' | 'session' | 'step' | 'sync' | 'sync-cancel';

const CHANNEL = 'interviews_live';
const RECONNECT_MS = 1_000;
const CONNECT_MS = 10_000;

/**
 * Tells every process, this one included, that something changed. Inside a transaction it is delivered when that commits, and never
 * when it does not (PostgreSQL manual, NOTIFY).
 */
export async function announce(db: Executor, topic: Topic, id: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${`${topic} ${id}`})`.execute(db);
}

type Listener = (id: string) => void;

/** Hears what any process announces, over a connection of its own. */
export interface LiveBus {
  on(topic: Topic, listener: Listener): void;
  /** Called after a break in the connection: announcements may have been missed. */
  onGap(listener: () => void): void;
  /** False while the connection is broken; caches that rely on announcements must not be trusted then. */
  readonly connected: boolean;
  /** Resolves when it hears for the first time; rejects when the database cannot be reached. */
  readonly opened: Promise<void>;
  close(): Promise<void>;
}

/** Listeners can be added at once; what is announced before `opened` may be missed. */
export function listenLive(connectionString: string, log: FastifyBaseLogger): LiveBus {
  const listeners = new Map<Topic, Listener[]>();
  const gaps: (() => void)[] = [];
  let client: pg.Client | null = null;
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  const heard = ({ payload = '' }: pg.Notification) => {
    const space = payload.indexOf(' ');
    for (const listener of listeners.get(payload.slice(0, space) as Topic) ?? []) listener(payload.slice(space + 1));
  };

  const open = async () => {
    const next = new pg.Client({
      connectionString,
      application_name: 'interviews live',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    next.on('notification', heard);
    next.on('error', (error) => log.warn({ err: error }, 'the live connection to the database broke'));
    next.on('end', lost);
    await next.connect();
    await next.query(`LISTEN ${CHANNEL}`);
    // Closed while it was being opened: nobody else would end it.
    if (closing) await next.end();
    else client = next;
  };
  const lost = () => {
    const wasConnected = client !== null;
    client = null;
    if (closing) return;
    // Whoever trusts announcements must stop doing so now, not only when the connection is back.
    if (wasConnected) for (const gap of gaps) gap();
    clearTimeout(timer);
    timer = setTimeout(reopen, RECONNECT_MS);
  };
  const reopen = () =>
    open().then(
      () => {
        for (const gap of gaps) gap();
      },
      () => lost(),
    );

  const opened = open();
  // Whoever waits for it hears of that.
  opened.catch(() => {});
  return {
    opened,
    on: (topic, listener) => listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: (listener) => gaps.push(listener),
    get connected() {
      return client !== null;
    },
    async close() {
      closing = true;
      clearTimeout(timer);
      await opened.catch(() => {});
      await client?.end();
    },
  };
}
