import { expect, test } from 'vitest';
import { createEvents } from '#server/compose-events.ts';
import type { HostedState, VideoHost } from '#server/ports/video-host.ts';
import { startApp } from '#support/start-app.ts';
import type { StepContext } from './step-outcome.ts';
import { untilReady } from './until-ready.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const PACE = { pollMs: 1, pollForMs: 20_000, laterMs: 30 * SECOND };

/** Waits for a video that was uploaded `ageMs` ago and is still processing after `responses`. */
async function waitFor(ageMs: number, responses: HostedState[] = [], pollForMs = PACE.pollForMs) {
  const { db } = await startApp({ jobs: false });
  let polls = 0;
  const videoHost = {
    name: 'YouTube',
    state: async () => {
      polls += 1;
      return responses.shift() ?? { status: 'processing', fraction: null };
    },
  } satisfies Partial<VideoHost> as unknown as VideoHost;
  let isDeleted = false;
  const context = {
    run: { interviewId: 'int-1', step: 'convert', runId: '', worker: '' },
    signal: new AbortController().signal,
    transaction: async () => {
      isDeleted = true;
    },
  } as unknown as StepContext;
  const video = { id: 'v', url: 'https://example.org/v', uploadedAt: new Date(Date.now() - ageMs) };
  const deps = { db, events: createEvents(), pace: { ...PACE, pollForMs }, videoRemoval: { enqueue: async () => {} } };
  const outcome = await untilReady(deps, { videoHost, context, video }).catch((error: unknown) => error);
  return { outcome, polls, isDeleted };
}

test('a video that is ready soon is polled until then', async () => {
  const processing = { status: 'processing', fraction: 0.5 } as const;
  const { outcome, polls } = await waitFor(0, [
    processing,
    processing,
    { status: 'ready', privacy: 'unlisted', note: null },
  ]);
  expect(outcome).toMatchObject({ status: 'ready', privacy: 'unlisted' });
  expect(polls).toBe(3);
});

test('a video that takes long makes the step wait', async () => {
  const { outcome, polls } = await waitFor(0, [], 200);
  expect(outcome).toEqual({ status: 'wait', ms: 30 * SECOND });
  expect(polls).toBeGreaterThan(1);
});

// Each poll costs some of the daily quota; polling for 12 hours must leave most of it for uploads.
test.for([
  [2 * MINUTE, 30 * SECOND],
  [50 * MINUTE, 5 * MINUTE],
  [600 * MINUTE, 10 * MINUTE],
] as const)('a video is polled once after %i ms, and again %i ms later', async ([ageMs, laterMs]) => {
  const { outcome, polls } = await waitFor(ageMs);
  expect(polls).toBe(1);
  expect((outcome as { ms: number }).ms / laterMs).toBeCloseTo(1, 1);
});

test('a video that is never ready fails with a message and is not uploaded a second time', async () => {
  const { outcome, isDeleted } = await waitFor(13 * 60 * MINUTE);
  expect(outcome).toMatchObject({ name: 'StepError', message: expect.stringContaining('after 12 hours') });
  expect(isDeleted).toBe(false);
});

test('a video that the host no longer has is uploaded again by the next try', async () => {
  const { outcome, isDeleted } = await waitFor(13 * 60 * MINUTE, [{ status: 'gone' }]);
  expect(outcome).toMatchObject({ name: 'StepError', message: expect.stringContaining('was removed from YouTube') });
  expect(isDeleted).toBe(true);
});
