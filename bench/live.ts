import pg from 'pg';
import { Child } from './child.ts';
import type { DeliveredMessages } from './live/listeners.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type BenchRow, benchRow, limitRow, median, percentile, printRows } from './row.ts';
import { sized } from './scale.ts';

const SOCKETS = sized(1_000, 20);
const ROUNDS = sized(15, 1);
const LIMIT_MS = 50;
const BARE_SERVER = new URL('./live/bare-server.ts', import.meta.url);
const LISTENERS = new URL('./live/listeners.ts', import.meta.url);

/**
 * A log entry written by another process. The product receives its id and reads the entry itself.
 */
export const ANNOUNCE = `
  WITH entry AS (
    INSERT INTO log_entry (type, action, status, summary, metadata)
    VALUES ('refresh', 'sync-interviews', 'success', 'Senior Frontend Engineer: 120 interviews checked: 4 new, 2 updated.', '{"count": 120}')
    RETURNING id
  )
  SELECT pg_notify('interviews_live', 'log ' || id) FROM entry`;

/**
 * One message to a thousand sockets, from the statement that announces it in the database to its
 * arrival, compared with a bare `ws` server that sends the same bytes.
 */
export async function run(): Promise<BenchRow[]> {
  const product = await startProduct({ env: { MAX_SOCKETS_PER_SESSION: String(SOCKETS) } });
  const [bare, ours, theirs] = [new Child(BARE_SERVER), new Child(LISTENERS), new Child(LISTENERS)];
  const database = new pg.Client({ connectionString: product.databaseUrl });
  try {
    await database.connect();
    await connectAll(ours, product);
    const { port } = await bare.ask<{ port: number }>({ open: true });
    await theirs.ask({ port, origin: 'http://bench', cookie: '', path: '/', sockets: SOCKETS });
    return await measure({ ours, theirs, bare, database });
  } finally {
    await database.end();
    await Promise.all([bare, ours, theirs].map((child) => child.stop()));
    await product.stop();
  }
}

const connectAll = (listeners: Child, { address, port, cookie }: BenchProduct) =>
  listeners.ask({ port, origin: address, cookie, path: '/ws', sockets: SOCKETS });

async function measure(parts: { ours: Child; theirs: Child; bare: Child; database: pg.Client }): Promise<BenchRow[]> {
  const last: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  let text = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const announced = await delivered(parts.ours, () => parts.database.query(ANNOUNCE));
    text = announced.text;
    last.ours.push(percentile(announced.delays, 0.99));
    const sent = await delivered(parts.theirs, () => parts.bare.ask({ send: text }));
    last.bare.push(percentile(sent.delays, 0.99));
  }
  const name = `one message to ${SOCKETS.toLocaleString('en-US')} sockets, 99th percentile`;
  const ours = median(last.ours);
  return [
    limitRow({ name, ours, limit: LIMIT_MS, unit: 'ms' }),
    benchRow({ name: `${name}, against bare ws`, ours, baseline: median(last.bare), unit: 'ms', aim: null }),
  ];
}

/** Returns the milliseconds from the call of `send` to the arrival at each socket. */
async function delivered(listeners: Child, send: () => Promise<unknown>): Promise<{ delays: number[]; text: string }> {
  const start = process.hrtime.bigint();
  const delivery = listeners.ask<DeliveredMessages>({ expect: true });
  await send();
  const { arrivals, text } = await delivery;
  return { delays: arrivals.map((at) => Number(BigInt(at) - start) / 1e6), text };
}

if (import.meta.main) printRows(await run());
