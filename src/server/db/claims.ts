import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How often a name that another process has claimed is tried again. */
const RETRY_INTERVAL_MS = 500;

/** Keeps work of the same name from running twice at the same time. */
export interface Claims {
  /**
   * Waits until no other work of that name runs.
   * @throws the signal's reason when it aborts before `work` starts
   */
  runExclusively<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Claims among the work of this process, for installations with one process. */
export function createLocalClaims(): Claims {
  const last = new Map<string, Promise<void>>();
  return {
    async runExclusively(name, signal, work) {
      const before = last.get(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      last.set(name, promise);
      try {
        await before;
        signal.throwIfAborted();
        return await work();
      } finally {
        if (last.get(name) === promise) last.delete(name);
        resolve();
      }
    },
    close: async () => {},
  };
}

/**
 * Without a limit, every claim would wait for a server that accepts a connection and stays silent.
 */
const CONNECT_TIMEOUT_MS = 5_000;
const LOCK = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS done';
const UNLOCK = 'SELECT pg_advisory_unlock(hashtextextended($1, 0)) AS done';

function createClient(connectionString: string): pg.Client {
  const options = { keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const client = new pg.Client({ connectionString, application_name: 'interviews claims', ...options });
  // `end` follows.
  client.on('error', () => {});
  return client;
}

/**
 * Claims among all processes of a database: one advisory lock per claim, all on one connection, so
 * they end with their process. While that connection is broken, no new work starts, and running
 * work continues.
 */
export function createSharedClaims(connectionString: string): Claims {
  const local = createLocalClaims();
  let client: Promise<pg.Client> | null = null;
  let connected: pg.Client | null = null;
  let isClosed = false;
  let lastQuery: Promise<unknown> = Promise.resolve();

  const open = () => {
    const opened = createClient(connectionString);
    const opening = opened.connect().then(() => {
      connected = opened;
      // The stop does not wait for a connection that is being made.
      if (isClosed) void opened.end();
      return opened;
    });
    // A refused connection may end after the next one was opened.
    const discard = () => {
      if (client === opening) client = null;
      if (connected === opened) connected = null;
    };
    opened.on('end', discard);
    opening.catch(discard);
    return opening;
  };

  /** One query after the other, as a connection runs them. */
  const query = (sql: string, name: string): Promise<boolean> => {
    const result = lastQuery.then(async () => {
      if (isClosed) throw new Error('The process stops');
      client ??= open();
      const { rows } = await (await client).query<{ done: boolean }>(sql, [name]);
      return rows[0]?.done === true;
    });
    lastQuery = result.catch(() => {});
    return result;
  };

  return {
    runExclusively: (name, signal, work) =>
      local.runExclusively(name, signal, async () => {
        while (!(await query(LOCK, name))) await sleep(RETRY_INTERVAL_MS, undefined, { signal });
        // A broken connection has released the lock already.
        return work().finally(() => query(UNLOCK, name).catch(() => {}));
      }),
    async close() {
      isClosed = true;
      await connected?.end();
    },
  };
}
