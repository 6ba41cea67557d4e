import type { FaultOf } from '#sandbox/faults/fault.ts';
import { type Exchange, sleepWhileConnected } from '#sandbox/http/exchange.ts';

const PAUSE_MS = 50;

/** Sends the body as JSON; with the fault, in small pieces. */
export async function sendSlowly(
  exchange: Exchange,
  slow: FaultOf<'ats-slow'> | null,
  { status, body }: { status: number; body: object },
): Promise<void> {
  if (!slow) return exchange.json(status, body);
  const bytes = Buffer.from(JSON.stringify(body));
  const size = Math.max(1, Math.floor((slow.bytesPerSecond * PAUSE_MS) / 1_000));
  exchange.head(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  for (let at = 0; at < bytes.length && !exchange.isOver; at += size) {
    await exchange.write(bytes.subarray(at, at + size));
    await sleepWhileConnected(exchange, PAUSE_MS);
  }
  exchange.end();
}
