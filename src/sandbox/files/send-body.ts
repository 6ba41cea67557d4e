import type { FaultOf } from '../faults/fault.ts';
import type { Exchange } from '../http/exchange.ts';
import { sleepWhileConnected } from '../http/sleep.ts';

export type BodyFault = FaultOf<'broken' | 'truncated' | 'stall' | 'slow'>;

const SLOW_TICK_MS = 50;
/** Long enough for what was written to be on the wire, as a reset throws away what is not. */
const FLUSH_MS = 30;

/** Sends the chunks no faster than the peer takes them, up to where the fault, if any, strikes. */
export async function sendBody(exchange: Exchange, chunks: Iterable<Buffer>, fault: BodyFault | null): Promise<void> {
  if (!fault) {
    for (const chunk of chunks) {
      if (exchange.isOver) return;
      await exchange.write(chunk);
    }
    return exchange.end();
  }
  if (fault.kind === 'slow') return drip(exchange, chunks, fault.bytesPerSecond);
  exchange.response.flushHeaders();
  for (const chunk of firstBytes(chunks, fault.afterBytes)) await exchange.write(chunk);
  // A stalled connection stays open until the peer, or the closing sandbox, ends it.
  if (fault.kind === 'stall') return;
  await sleepWhileConnected(exchange, FLUSH_MS);
  if (fault.kind === 'broken') exchange.reset();
  else exchange.hangUp();
}

function* firstBytes(chunks: Iterable<Buffer>, count: number): Generator<Buffer> {
  let left = count;
  for (const chunk of chunks) {
    if (left <= 0) return;
    yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}

async function drip(exchange: Exchange, chunks: Iterable<Buffer>, bytesPerSecond: number): Promise<void> {
  const dropBytes = Math.max(1, Math.round((bytesPerSecond * SLOW_TICK_MS) / 1000));
  const pauseMs = Math.round((dropBytes / bytesPerSecond) * 1000);
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += dropBytes) {
      if (exchange.isOver) return;
      await exchange.write(chunk.subarray(at, at + dropBytes));
      await sleepWhileConnected(exchange, pauseMs);
    }
  }
  exchange.end();
}
