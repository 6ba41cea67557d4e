import { setTimeout as sleep } from 'node:timers/promises';
import type { RefreshStatus } from '#contracts/sync.ts';
import type { BrowsedProduct } from '../lighthouse/browsed-product.ts';

/**
 * Writes one page of a refresh as its worker does: counts of the run, a visible interview, an
 * announcement.
 */
const STEP = `
  WITH run AS (
    UPDATE sync_run SET total = 1000, processed = processed + 1, current = 'Interview ' || (processed + 1) WHERE status = 'running'
  ), changed AS (
    UPDATE interview SET duration_seconds = duration_seconds + 1
    WHERE $1::boolean AND id = (SELECT interview_id FROM listing WHERE NOT archived ORDER BY day DESC, recorded_at DESC LIMIT 1)
  )
  SELECT pg_notify('interviews_live', 'sync refresh-progress')`;

/**
 * Refreshes for `seconds` with `perSecond` messages. The run is real, but its service has not
 * answered yet; this function writes its pages, because no service sends pages at a precise rate.
 */
export async function refreshBusily(
  product: BrowsedProduct,
  { seconds, perSecond }: { seconds: number; perSecond: number },
) {
  await product.call('GET', '/api/interviews/sync?timeframe=all');
  const start = performance.now();
  for (let step = 0; step < seconds * perSecond; step += 1) {
    await sleep(Math.max(0, start + (step * 1_000) / perSecond - performance.now()));
    await product.database.query(STEP, [step % 10 === 0]);
  }
  await product.call('POST', '/api/interviews/sync/cancel');
  for (;;) {
    const { inProgress } = await product.call<RefreshStatus>('GET', '/api/interviews/sync/status');
    if (!inProgress) return;
    await sleep(50);
  }
}
