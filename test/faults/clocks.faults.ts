import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { getInterview } from '#contracts/interviews.ts';
import { convertInterview, summarizeInterview } from '#contracts/processing.ts';
import { getUser, login } from '#contracts/session.ts';
import { startSync } from '#contracts/sync.ts';
import { until } from '#support/until.ts';
import { activateFunnelOf, refresh, refreshEnded, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const HOUR_MS = 3_600_000;
const SHIFTED_CLOCK = fileURLToPath(new URL('./support/shifted-clock.mjs', import.meta.url));

const JUMPS: [jump: string, ms: number][] = [
  ['an hour ahead', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['a day ahead', 24 * HOUR_MS],
  ['five years back', -5 * 365 * 24 * HOUR_MS],
];

for (const [jump, clockJumpMs] of JUMPS) {
  test(`work completes after the clock jumps ${jump}`, async () => {
    const stage = await setStage();
    const { control } = stage.sandbox;
    const product = await stage.start({ preload: SHIFTED_CLOCK });
    await activateFunnelOf(product, stage.sandbox, FUNNEL);
    await refresh(product);
    const [first, second] = control.interviews(FUNNEL);
    control.grow(FUNNEL, 400);
    control.grow(FUNNEL, 20, { videoBytes: 300_000 });
    control.fail({ kind: 'latency', ms: 60 });
    control.fail({ kind: 'latency', ms: 300, on: 'google' });
    await product.call(startSync, { query: {} });
    await product.call(convertInterview, { params: { id: first?.id ?? '' } });
    await product.call(summarizeInterview, { params: { id: second?.id ?? '' } });
    await pause(300);
    product.sendMessage({ clockJumpMs });
    // A session without "Remember me" ends after twelve hours without use, so also after a day.
    const isSignedIn = () =>
      product.call(getUser, {}).then(
        () => true,
        () => false,
      );
    await until('the clock has jumped', async () => (await isSignedIn()) === clockJumpMs < 12 * HOUR_MS);
    await product.call(login, { body: { username: 'admin', password: 'admin123' } });

    expect(await refreshEnded(product)).toMatchObject({ error: null, processed: 424 });
    await stage.settled();
    expect((await product.call(getInterview, { params: { id: first?.id ?? '' } })).youtubeStatus).toBe('completed');
    expect((await product.call(getInterview, { params: { id: second?.id ?? '' } })).summaryStatus).toBe('completed');
    await stage.expectConsistent();
    expect(await product.terminate()).toBe(0);
  });
}
