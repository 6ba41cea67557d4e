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

/** Takes a name, or gives it back; settles with whether that could be done. */
interface Ask {
  takes: boolean;
  name: string;
  answer: PromiseWithResolvers<boolean>;
}

const ANSWER = `
  SELECT CASE WHEN takes THEN pg_try_advisory_lock(key) ELSE pg_advisory_unlock(key) END AS done
  FROM (SELECT hashtextextended(name, 0) AS key, takes, place FROM unnest($1::text[], $2::bool[]) WITH ORDINALITY AS a (name, takes, place)) AS b
  ORDER BY place`;

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
  const answerAll = async (asked: readonly Ask[]): Promise<void> => {
    client ??= open().catch((error: unknown) => {
      client = null;
      throw error;
    });
    const values = [asked.map(({ name }) => name), asked.map(({ takes }) => takes)];
    const { rows } = await (await client).query<{ done: boolean }>(ANSWER, values);
    for (const [place, { answer }] of asked.entries()) answer.resolve(rows[place]?.done === true);
  };
  // A connection answers one question at a time: all that is asked meanwhile is the next one.
  let waiting: Ask[] = [];
  let isAnswering = false;
  const answerWaiting = async () => {
    isAnswering = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      await answerAll(asked).catch((error: unknown) => {
        for (const { answer } of asked) answer.reject(error);
      });
    }
    isAnswering = false;
  };
  const ask = (takes: boolean, name: string): Promise<boolean> => {
    const answer = Promise.withResolvers<boolean>();
    waiting.push({ takes, name, answer });
    if (!isAnswering) void answerWaiting();
    return answer.promise;
  };

  return {
    run: (name, signal, work) =>
      within.run(name, signal, async () => {
        while (!(await ask(true, name))) await sleep(LOOK_MS, undefined, { signal });
        // Without its connection the claim has ended by itself.
        return work().finally(() => ask(false, name).catch(() => {}));
      }),
    async close() {
      await (await client)?.end();
    },
  };
}
