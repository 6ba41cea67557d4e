import type { FaultOf } from '#sandbox/faults/fault.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { sleepWhileConnected } from '#sandbox/http/exchange.ts';

export type BodyFault = FaultOf<'broken' | 'truncated' | 'stall' | 'slow'>;

const SLOW_TICK_MS = 50;
/** Long enough for written bytes to be sent, because a reset discards the rest. */
const FLUSH_MS = 30;

/** Sends the chunks no faster than the client reads, until the fault, if any, applies. */
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
  // A stalled connection stays open until the client or the closing sandbox ends it.
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
