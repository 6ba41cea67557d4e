import { expect, test } from 'vitest';
import { startApp } from '#support/start-app.ts';
import type { HostedState, VideoHost } from '../../ports/video-host.ts';
import type { StepWaits } from './step-ended.ts';
import type { StepContext } from './step-worker.ts';
import { untilReady } from './until-ready.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const PACE = { pollMs: 1, pollForMs: 50, laterMs: 30 * SECOND };

/** Waits for a video that was uploaded so long ago and is still being processed; answers what became of it. */
async function waitFor(ageMs: number, answers: HostedState[] = []) {
  const { db } = await startApp({ jobs: false });
  let asked = 0;
  const videoHost = {
    privacy: 'unlisted',
    state: async () => {
      asked += 1;
      return answers.shift() ?? { status: 'processing', fraction: null };
    },
  } satisfies Partial<VideoHost> as unknown as VideoHost;
  let forgotten = false;
  const context = {
    run: { interviewId: 'int-1', step: 'convert', runId: '', worker: '' },
    signal: new AbortController().signal,
    transaction: async () => {
      forgotten = true;
    },
  } as unknown as StepContext;
  const video = { id: 'v', url: 'https://example.org/v', uploadedAt: new Date(Date.now() - ageMs) };
  const outcome = await untilReady({ db, pace: PACE }, { videoHost, context, video }).catch((error: unknown) => error);
  return { outcome, asked, forgotten };
}

test('a video that is ready soon is waited for', async () => {
  const processing = { status: 'processing', fraction: 0.5 } as const;
  const { outcome, asked } = await waitFor(0, [processing, processing, { status: 'ready', privacy: 'unlisted' }]);
  expect(outcome).toEqual({ status: 'ready', privacy: 'unlisted' });
  expect(asked).toBe(3);
});

test('one that takes its time gives its place to another video', async () => {
  const { outcome, asked } = await waitFor(0);
  expect(outcome).toMatchObject({ name: 'StepWaits', ms: 30 * SECOND });
  expect(asked).toBeGreaterThan(1);
});

// Each question costs some of the quota of the day; half a day of them must leave most of it for uploads.
test.for([
  [2 * MINUTE, 30 * SECOND],
  [50 * MINUTE, 5 * MINUTE],
  [600 * MINUTE, 10 * MINUTE],
] as const)('after %i ms it is asked about once, and again %i ms later', async ([ageMs, laterMs]) => {
  const { outcome, asked } = await waitFor(ageMs);
  expect(asked).toBe(1);
  expect((outcome as StepWaits).ms / laterMs).toBeCloseTo(1, 1);
});

test('one that is never ready ends in words for a person, and is not uploaded a second time', async () => {
  const { outcome, forgotten } = await waitFor(13 * 60 * MINUTE);
  expect(outcome).toMatchObject({ name: 'StepFailed', message: expect.stringContaining('half a day') });
  expect(forgotten).toBe(false);
});

test('one that the host no longer has is uploaded anew by the next try', async () => {
  const { outcome, forgotten } = await waitFor(13 * 60 * MINUTE, [{ status: 'gone' }]);
  expect(outcome).toMatchObject({ name: 'StepFailed', message: expect.stringContaining('no longer has') });
  expect(forgotten).toBe(true);
});
