import { expect, onTestFinished, test } from 'vitest';
import { getInterview, type Interview } from '#contracts/interviews.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { activateFunnelOf, refresh, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
/** How the fault ends: it passes unnoticed, or whoever started the work reads why it failed, and can start it again. */
type End = 'passes' | 'is told';
type Row = [what: string, end: End, ...faults: FaultInput[]];

const LISTING: Row[] = [
  ['answers slowly', 'passes', { kind: 'latency', ms: 700 }],
  ['answers 500 twice', 'passes', { kind: 'status', status: 500, times: 2 }],
  ['asks to come back with 503', 'passes', { kind: 'status', status: 503, retryAfterSeconds: 1, times: 1 }],
  [
    'asks to come back at a date',
    'passes',
    { kind: 'status', status: 429, retryAfterSeconds: 1, retryAfterAs: 'date', times: 1 },
  ],
  ['refuses the key', 'is told', { kind: 'status', status: 401 }],
  ['no longer knows the funnel', 'is told', { kind: 'status', status: 404 }],
  ['answers an HTML page for ever', 'is told', { kind: 'status', status: 502, body: '<h1>Bad gateway</h1>' }],
  ['never answers once', 'passes', { kind: 'hang', times: 1 }],
  ['resets the connection before the answer', 'passes', { kind: 'reset', when: 'before-headers', times: 2 }],
  ['resets the connection in the answer', 'passes', { kind: 'reset', when: 'after-headers', times: 2 }],
  ['answers no JSON', 'is told', { kind: 'bad-json' }],
  ['answers another shape', 'is told', { kind: 'wrong-shape' }],
  ['ends in the middle of the list', 'passes', { kind: 'truncated-list', times: 1 }],
  ['lists interviews twice', 'passes', { kind: 'duplicate-ids', count: 3 }],
];

const FILES: Row[] = [
  ['breaks off in the middle of files', 'passes', { kind: 'broken', afterBytes: 100_000, times: 6 }],
  ['ends files too early', 'passes', { kind: 'truncated', afterBytes: 50_000, times: 6 }],
  ['drips', 'passes', { kind: 'slow', bytesPerSecond: 400_000 }],
  ['says no lengths', 'passes', { kind: 'no-content-length' }],
  ['knows no ranges and breaks off', 'passes', { kind: 'no-range' }, { kind: 'broken', afterBytes: 100_000, times: 4 }],
  [
    'names no versions and breaks off',
    'passes',
    { kind: 'no-etag' },
    { kind: 'broken', afterBytes: 100_000, times: 4 },
  ],
  [
    'changes versions and breaks off',
    'passes',
    { kind: 'changing-etag' },
    { kind: 'broken', afterBytes: 100_000, times: 4 },
  ],
  ['answers 503 for some files', 'passes', { kind: 'status', status: 503, on: 'media', times: 5 }],
  ['signs addresses', 'passes', { kind: 'signed-urls' }],
];

const GOOGLE: Row[] = [
  ['no longer takes the permission', 'is told', { kind: 'token-refused' }],
  ['gives short permissions', 'passes', { kind: 'token-lifetime', seconds: 1 }],
  ['refuses', 'is told', { kind: 'google-refuses', reason: 'forbidden' }],
  ['has no channel', 'is told', { kind: 'no-channel' }],
  ['keeps less than it was sent', 'passes', { kind: 'upload-keeps-less', bytes: 1_000_000, times: 1 }],
  ['keeps nothing', 'passes', { kind: 'upload-keeps-nothing', times: 1 }],
  ['answers 503 in the middle of an upload', 'passes', { kind: 'upload-breaks', afterBytes: 500_000, times: 1 }],
  ['resets an upload', 'passes', { kind: 'upload-breaks', afterBytes: 500_000, how: 'reset', times: 1 }],
  ['ends the permission in an upload', 'passes', { kind: 'upload-token-ends', afterBytes: 500_000, times: 1 }],
  ['forgets the upload', 'passes', { kind: 'upload-forgotten', times: 1 }],
  ['publishes and loses the answer', 'passes', { kind: 'answer-lost', times: 1 }],
  ['makes the video private', 'passes', { kind: 'forced-private' }],
  ['does not list the video yet', 'passes', { kind: 'not-listed', times: 1 }],
  ['cannot process the video', 'is told', { kind: 'processing-fails' }],
  ['rejects the video', 'is told', { kind: 'processing-rejected' }],
];

const TRANSCRIPTION: Row[] = [
  ['knows no times', 'passes', { kind: 'no-verbose-json' }],
  ['puts words into segments', 'passes', { kind: 'words-in-segments' }],
  ['gives words only', 'passes', { kind: 'words-only' }],
  ['sends half an answer', 'is told', { kind: 'broken-transcript' }],
  ['sends another shape', 'is told', { kind: 'wrong-transcript' }],
  ['resets the connection once', 'passes', { kind: 'reset', when: 'before-headers', on: 'transcription', times: 1 }],
];

const CHAT: Row[] = [
  ['knows no schema', 'passes', { kind: 'no-json-schema', objectToo: true }],
  ['knows no temperature', 'passes', { kind: 'no-temperature' }],
  ['reads little at once', 'passes', { kind: 'context-too-long', mostCharacters: 4_000 }],
  ['fences its answer', 'passes', { kind: 'fenced-answer' }],
  ['sends no JSON once', 'passes', { kind: 'broken-answer', times: 1 }],
  ['sends another shape for ever', 'is told', { kind: 'wrong-answer' }],
  ['is cut off once', 'passes', { kind: 'cut-answer', times: 1 }],
  ['invents quotes', 'passes', { kind: 'invented-quote' }],
  ['refuses', 'is told', { kind: 'model-refuses' }],
  ['obeys the transcript', 'passes', { kind: 'obedient-model' }],
];

async function ready(): Promise<{ stage: Stage; product: ProductProcess }> {
  const database = await createTestDatabase();
  const stage = await setStage({ DATABASE_URL: database.url });
  const product = await stage.start();
  onTestFinished(database.drop);
  onTestFinished(() => product.terminate().then(() => undefined));
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  return { stage, product };
}

async function refreshes(end: End, faults: readonly FaultInput[]): Promise<void> {
  const { stage, product } = await ready();
  const { control } = stage.sandbox;
  control.grow(FUNNEL, 250);
  control.grow(FUNNEL, 10, { videoBytes: 300_000 });
  const set = faults.map((fault) => control.fail(fault));
  const status = await refresh(product, 'all', 100_000);
  if (end === 'passes') expect(status).toMatchObject({ error: null, processed: 264 });
  else expectWords(status.error);
  for (const fault of set) fault.stop();
  await refresh(product);
  await stage.settled();
  const [row] = await stage.ask<{ n: string }>(
    'SELECT count(*) AS n FROM interview WHERE video_url IS NOT NULL AND video_file IS NULL',
  );
  expect(Number(row?.n)).toBe(0);
  await stage.expectWhole();
}

const STEPS = {
  convert: [convertInterview, 'youtubeStatus', 'youtubeError'],
  transcribe: [transcribeInterview, 'transcriptionStatus', 'transcriptionError'],
  summarize: [summarizeInterview, 'summaryStatus', 'summaryError'],
} as const;

async function works(step: keyof typeof STEPS, end: End, faults: readonly FaultInput[]): Promise<void> {
  const { stage, product } = await ready();
  await refresh(product);
  const id = stage.sandbox.control.interviews(FUNNEL)[0]?.id ?? '';
  const [endpoint, status] = STEPS[step];
  const done = async (): Promise<Interview> => {
    await product.call(endpoint, { params: { id } });
    await stage.settled(100_000);
    return product.call(getInterview, { params: { id } });
  };
  // The video host takes its time, or does what the fault says.
  stage.sandbox.control.clearFaults();
  const set = faults.map((fault) => stage.sandbox.control.fail(fault));
  const after = await done();
  for (const fault of set) fault.stop();
  expect(after[status]).toBe(end === 'passes' ? 'completed' : 'failed');
  if (end === 'is told') {
    const entry = await stage.ask<{ details: { error: string } }>(
      "SELECT details FROM log_entry WHERE type = 'error' ORDER BY id DESC LIMIT 1",
    );
    expectWords(entry[0]?.details.error);
    expect((await done())[status]).toBe('completed');
  }
  await stage.expectWhole();
}

/** A reason that a person can act on. */
function expectWords(text: string | null | undefined): void {
  expect(text).toMatch(/\w+ \w+.*\./);
  expect(text).not.toMatch(/unexpected|undefined|\[object|at \w+ \(/i);
}

const TABLES: [service: string, rows: Row[], run: (end: End, faults: readonly FaultInput[]) => Promise<void>][] = [
  ['the interview service', LISTING, refreshes],
  ['the file server', FILES, refreshes],
  ['YouTube', GOOGLE, (end, faults) => works('convert', end, faults)],
  ['the transcription service', TRANSCRIPTION, (end, faults) => works('transcribe', end, faults)],
  ['the chat service', CHAT, (end, faults) => works('summarize', end, faults)],
];

for (const [service, rows, run] of TABLES) {
  for (const [what, end, ...faults] of rows) test(`${service} ${what}: it ${end}`, () => run(end, faults));
}
