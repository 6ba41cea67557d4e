import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How often a name that another process has claimed is asked for again. */
const LOOK_MS = 500;

/** Work that must not be done twice at the same time, by its name. */
export interface Claims {
  /** Runs `work` once nobody else is at something of that name. @throws the signal's reason, when it aborts before that */
  run<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Claims among the work of this process alone, for where there is no other. */
export function claimsWithin(): Claims {
  const last = new Map<string, Promise<void>>();
  return {
    async run(name, signal, work) {
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

type Call = 'pg_try_advisory_lock' | 'pg_advisory_unlock';

/**
 * Claims among all processes of a database. They are advisory locks of one connection of their own, however many there are, so they
 * end with the process that holds them. While that connection is broken nothing new is begun; what is under way goes on.
 */
export function claimsAmongAll(connectionString: string): Claims {
  const within = claimsWithin();
  let client: Promise<pg.Client> | null = null;

  const open = async () => {
    const opened = new pg.Client({ connectionString, application_name: 'interviews claims', keepAlive: true });
    opened.on('error', () => {});
    opened.on('end', () => {
      client = null;
    });
    await opened.connect();
    return opened;
  };
  const answer = async (call: Call, name: string): Promise<boolean> => {
    client ??= open().catch((error: unknown) => {
      client = null;
      throw error;
    });
    const { rows } = await (await client).query(`SELECT ${call}(hashtextextended($1, 0)) AS done`, [name]);
    return rows[0]?.done === true;
  };
  // One after the other: a connection answers one question at a time, and its driver will no longer queue them.
  let asked: Promise<unknown> = Promise.resolve();
  const ask = (call: Call, name: string): Promise<boolean> => {
    const next = asked.then(() => answer(call, name));
    asked = next.catch(() => {});
    return next;
  };

  return {
    run: (name, signal, work) =>
      within.run(name, signal, async () => {
        while (!(await ask('pg_try_advisory_lock', name))) await sleep(LOOK_MS, undefined, { signal });
        // Without its connection the claim has ended by itself.
        return work().finally(() => ask('pg_advisory_unlock', name).catch(() => {}));
      }),
    async close() {
      await (await client)?.end();
    },
  };
}
