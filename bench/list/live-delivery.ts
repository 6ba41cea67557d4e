import { once } from 'node:events';
import type pg from 'pg';
import { WebSocket } from 'ws';
import type { LiveMessage } from '#contracts/live.ts';
import { openDatabase } from '../database.ts';
import type { KeepAliveClient } from '../keep-alive-client.ts';
import { sized, timed } from '../measure.ts';
import { type BenchRow, benchRow } from '../row.ts';
import { type ListDeps, newest } from './pages.ts';

const ROUNDS = sized(200, 4);
const CHANNEL = 'bench_delivery';
const LOG = `INSERT INTO log_entry (type, action, status, summary) VALUES ('system', 'bench', 'info', $1)`;
const ARRIVAL_LIMIT_MS = 10_000;
/** The highest allowed ratio to the arrival at a colleague who sees all funnels. */
const MAX_RATIO = 1.1;

/** A recruiter who sees one funnel, and a colleague who sees all of them. */
export interface Pair {
  recruiter: KeepAliveClient;
  colleague: KeepAliveClient;
  funnelId: number;
}

/** Milliseconds. */
type Times = Record<'recruiter' | 'colleague' | 'bare', number[]>;

/** A socket, which counts its messages about edited interviews. */
class Listener extends WebSocket {
  received = 0;

  constructor(url: string, cookie: string) {
    super(`${url.replace('http', 'ws')}/ws`, { headers: { origin: url, cookie } });
    this.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as LiveMessage;
      if (type !== 'interview-edited') return;
      this.received += 1;
      this.emit('edited');
    });
  }

  /** Resolves with the moment of the next message. */
  async next(): Promise<number> {
    await once(this, 'edited', { signal: AbortSignal.timeout(ARRIVAL_LIMIT_MS) });
    return performance.now();
  }
}

/**
 * Measures the time from a change to the browsers that show it, with one socket for every recruiter
 * and colleague. The baseline is the same change in bare SQL, announced with NOTIFY. Checks that
 * recruiters receive no message about other funnels.
 */
export async function measureDelivery(pairs: readonly Pair[], { product, database }: ListDeps): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const listen = async ({ cookie }: KeepAliveClient) => {
    const listener = opened.adopt(new Listener(product.url, cookie), (socket) => socket.terminate());
    await once(listener, 'open');
    return listener;
  };
  const listeners = await Array.fromAsync(pairs, async ({ recruiter, colleague, funnelId }) => ({
    funnelId,
    recruiter: await listen(recruiter),
    colleague: await listen(colleague),
    /** The messages about changes in the funnel. */
    expected: 0,
  }));
  const notified = opened.use(await openDatabase(product.databaseUrl));
  await notified.query(`LISTEN ${CHANNEL}`);
  const times: Times = { recruiter: [], colleague: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const listener = listeners[round % listeners.length];
    if (!listener) continue;
    const newestOfFunnel = newest(`AND funnel_id = ${listener.funnelId}`, 1);
    const { rows } = await database.query<{ interview_id: string }>(newestOfFunnel);
    const id = rows[0]?.interview_id ?? '';
    const start = performance.now();
    const arrivals = [listener.recruiter.next(), listener.colleague.next()];
    const archived = product.admin.call('POST', `/api/interviews/${id}/archive`);
    const [recruiter = 0, colleague = 0] = await Promise.all(arrivals);
    times.recruiter.push(recruiter - start);
    times.colleague.push(colleague - start);
    await archived;
    await Promise.all([listener.recruiter.next(), product.admin.call('POST', `/api/interviews/${id}/unarchive`)]);
    times.bare.push(await timed(() => announceBare(id, database, notified)));
    for (const each of listeners) if (each.funnelId === listener.funnelId) each.expected += 2;
  }
  for (const { funnelId, recruiter, expected } of listeners)
    if (recruiter.received !== expected)
      throw new Error(`The recruiter of funnel ${funnelId} received ${recruiter.received} messages, not ${expected}.`);
  return rowsOf(times);
}

async function announceBare(id: string, database: pg.Client, notified: pg.Client): Promise<void> {
  const arrived = once(notified, 'notification');
  await database.query('BEGIN');
  await database.query('UPDATE interview SET archived_at = now() WHERE id = $1', [id]);
  await database.query(LOG, [id]);
  await database.query('SELECT pg_notify($1, $2)', [CHANNEL, id]);
  await database.query('COMMIT');
  await arrived;
  await database.query('UPDATE interview SET archived_at = NULL WHERE id = $1', [id]);
}

function rowsOf({ recruiter, colleague, bare }: Times): BenchRow[] {
  const name = 'live message to a recruiter of one funnel';
  const toColleague = `${name}, to a colleague with all funnels, median`;
  return [
    benchRow({ name: `${name}, to bare SQL with NOTIFY, median`, ours: recruiter, baseline: bare }),
    benchRow({ name: toColleague, ours: recruiter, baseline: colleague, aim: { atMost: MAX_RATIO } }),
  ];
}
