import { once } from 'node:events';
import pg from 'pg';
import { WebSocket } from 'ws';
import type { LiveMessage } from '#contracts/live.ts';
import { timed } from '../keep-alive-client.ts';
import type { BenchProduct } from '../product.ts';
import { type BenchRow, benchRow, median } from '../row.ts';
import { sized } from '../scale.ts';

const ROUNDS = sized(200, 4);
const CHANNEL = 'bench_delivery';
const ARRIVAL_LIMIT_MS = 10_000;
/** The highest allowed ratio to the arrival at a colleague who sees all funnels. */
const MAX_RATIO = 1.1;
const NEWEST = `
  SELECT interview_id AS id FROM listing WHERE NOT archived AND funnel_id = $1 ORDER BY day DESC, recorded_at DESC LIMIT 1`;

/** A recruiter who sees one funnel, and a colleague who sees all of them. */
export interface Pair {
  cookie: string;
  colleagueCookie: string;
  funnelId: number;
}

interface DeliveryDeps {
  product: BenchProduct;
  database: pg.Client;
}

/** A socket and the arrival of its next message about an edited interview. */
class Listener {
  readonly socket: WebSocket;
  received = 0;
  #arrived: () => void = () => {};

  constructor(address: string, cookie: string) {
    this.socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers: { origin: address, cookie } });
    this.socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as LiveMessage;
      if (type !== 'interview-edited') return;
      this.received += 1;
      this.#arrived();
    });
  }

  /** Resolves with the moment of the next message. */
  next(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const late = setTimeout(() => reject(new Error('A live message did not arrive.')), ARRIVAL_LIMIT_MS);
    this.#arrived = () => {
      clearTimeout(late);
      resolve(performance.now());
    };
    return promise;
  }
}

/**
 * Measures the time from a change to the browsers that show it, with one socket for every recruiter
 * and colleague. The baseline is the same change in bare SQL, announced with NOTIFY. Checks that
 * recruiters receive no message about other funnels.
 */
export async function measureDelivery(pairs: readonly Pair[], deps: DeliveryDeps): Promise<BenchRow[]> {
  const { product, database } = deps;
  const listeners = pairs.map(({ cookie, colleagueCookie, funnelId }) => ({
    funnelId,
    recruiter: new Listener(product.address, cookie),
    colleague: new Listener(product.address, colleagueCookie),
  }));
  const sockets = listeners.flatMap(({ recruiter, colleague }) => [recruiter.socket, colleague.socket]);
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const notified = new pg.Client({ connectionString: product.databaseUrl });
  await notified.connect();
  await notified.query(`LISTEN ${CHANNEL}`);
  const times: Record<'recruiter' | 'colleague' | 'bare', number[]> = { recruiter: [], colleague: [], bare: [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const listener = listeners[round % listeners.length];
      if (!listener) continue;
      const { rows } = await database.query<{ id: string }>(NEWEST, [listener.funnelId]);
      const id = rows[0]?.id ?? '';
      const start = performance.now();
      const arrivals = [listener.recruiter.next(), listener.colleague.next()];
      const archived = product.call('POST', `/api/interviews/${id}/archive`);
      const [recruiter = 0, colleague = 0] = await Promise.all(arrivals);
      times.recruiter.push(recruiter - start);
      times.colleague.push(colleague - start);
      await archived;
      await Promise.all([listener.recruiter.next(), product.call('POST', `/api/interviews/${id}/unarchive`)]);
      times.bare.push(await timed(() => announceBare(id, { database, notified })));
    }
    expectOwnMessages(listeners);
  } finally {
    for (const socket of sockets) socket.terminate();
    await notified.end();
  }
  return rowsOf(times);
}

async function announceBare(
  id: string,
  { database, notified }: { database: pg.Client; notified: pg.Client },
): Promise<void> {
  const arrived = once(notified, 'notification');
  await database.query('BEGIN');
  await database.query('UPDATE interview SET archived_at = now() WHERE id = $1', [id]);
  await database.query(`INSERT INTO log_entry (type, action, status, summary) VALUES ('system', 'bench', 'info', $1)`, [
    id,
  ]);
  await database.query('SELECT pg_notify($1, $2)', [CHANNEL, id]);
  await database.query('COMMIT');
  await arrived;
  await database.query('UPDATE interview SET archived_at = NULL WHERE id = $1', [id]);
}

/** Two messages for each round of the funnel, and no other. */
function expectOwnMessages(listeners: readonly { funnelId: number; recruiter: Listener }[]): void {
  const rounds = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { funnelId = 0 } = listeners[round % listeners.length] ?? {};
    rounds.set(funnelId, (rounds.get(funnelId) ?? 0) + 1);
  }
  for (const { funnelId, recruiter } of listeners) {
    const expected = 2 * (rounds.get(funnelId) ?? 0);
    if (recruiter.received !== expected)
      throw new Error(`The recruiter of funnel ${funnelId} received ${recruiter.received} messages, not ${expected}.`);
  }
}

function rowsOf({ recruiter, colleague, bare }: Record<'recruiter' | 'colleague' | 'bare', number[]>): BenchRow[] {
  const name = 'live message to a recruiter of one funnel';
  return [
    benchRow({
      ...{ name: `${name}, to bare SQL with NOTIFY, median`, unit: 'ms', aim: null },
      ...{ ours: median(recruiter), baseline: median(bare) },
    }),
    benchRow({
      ...{ name: `${name}, to a colleague with all funnels, median`, unit: 'ms', aim: { atMost: MAX_RATIO } },
      ...{ ours: median(recruiter), baseline: median(colleague) },
    }),
  ];
}
