import { expect, onTestFinished, test } from 'vitest';
import { getInterview, type Interview } from '#contracts/interviews.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { activateFunnelOf, refresh, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
/**
 * How the work ends: it completes after retries, or fails with a reason and can be started again.
 */
type End = 'completes' | 'fails';
type Row = [what: string, end: End, ...faults: FaultInput[]];

const LISTING: Row[] = [
  ['responds slowly', 'completes', { kind: 'latency', ms: 700 }],
  ['responds with 500 twice', 'completes', { kind: 'status', status: 500, times: 2 }],
  [
    'sends a 503 with Retry-After in seconds',
    'completes',
    { kind: 'status', status: 503, retryAfterSeconds: 1, times: 1 },
  ],
  [
    'sends a 503 with Retry-After as a date',
    'completes',
    { kind: 'status', status: 429, retryAfterSeconds: 1, retryAfterAs: 'date', times: 1 },
  ],
  ['refuses the key', 'fails', { kind: 'status', status: 401 }],
  ['no longer has the funnel', 'fails', { kind: 'status', status: 404 }],
  ['always responds with an HTML page', 'fails', { kind: 'status', status: 502, body: '<h1>Bad gateway</h1>' }],
  ['leaves one request without a response', 'completes', { kind: 'hang', times: 1 }],
  ['resets the connection before the response', 'completes', { kind: 'reset', when: 'before-headers', times: 2 }],
  ['resets the connection during the response', 'completes', { kind: 'reset', when: 'after-headers', times: 2 }],
  ['sends invalid JSON', 'fails', { kind: 'bad-json' }],
  ['sends a different shape', 'fails', { kind: 'wrong-shape' }],
  ['ends in the middle of the list', 'completes', { kind: 'truncated-list', times: 1 }],
  ['lists interviews twice', 'completes', { kind: 'duplicate-ids', count: 3 }],
];

const FILES: Row[] = [
  ['breaks the connection during files', 'completes', { kind: 'broken', afterBytes: 100_000, times: 6 }],
  ['ends files early', 'completes', { kind: 'truncated', afterBytes: 50_000, times: 6 }],
  ['drips', 'completes', { kind: 'slow', bytesPerSecond: 400_000 }],
  ['sends no lengths', 'completes', { kind: 'no-content-length' }],
  [
    'does not support ranges and breaks the connection',
    'completes',
    { kind: 'no-range' },
    { kind: 'broken', afterBytes: 100_000, times: 4 },
  ],
  [
    'sends no ETags and breaks the connection',
    'completes',
    { kind: 'no-etag' },
    { kind: 'broken', afterBytes: 100_000, times: 4 },
  ],
  [
    'changes ETags and breaks the connection',
    'completes',
    { kind: 'changing-etag' },
    { kind: 'broken', afterBytes: 100_000, times: 4 },
  ],
  ['responds with 503 for some files', 'completes', { kind: 'status', status: 503, on: 'media', times: 5 }],
  ['signs URLs', 'completes', { kind: 'signed-urls' }],
];

const GOOGLE: Row[] = [
  ['revokes the authorization', 'fails', { kind: 'token-refused' }],
  ['issues short-lived tokens', 'completes', { kind: 'token-lifetime', seconds: 1 }],
  ['refuses the upload', 'fails', { kind: 'google-refuses', reason: 'forbidden' }],
  ['has no channel', 'fails', { kind: 'no-channel' }],
  ['stores less than it was sent', 'completes', { kind: 'upload-keeps-less', bytes: 1_000_000, times: 1 }],
  ['stores nothing', 'completes', { kind: 'upload-keeps-nothing', times: 1 }],
  ['responds with 503 during an upload', 'completes', { kind: 'upload-breaks', afterBytes: 500_000, times: 1 }],
  ['resets an upload', 'completes', { kind: 'upload-breaks', afterBytes: 500_000, how: 'reset', times: 1 }],
  ['expires the token during an upload', 'completes', { kind: 'upload-token-ends', afterBytes: 500_000, times: 1 }],
  ['loses the upload session', 'completes', { kind: 'upload-forgotten', times: 1 }],
  ['publishes the video and loses the response', 'completes', { kind: 'response-lost', times: 1 }],
  ['makes the video private', 'completes', { kind: 'forced-private' }],
  ['does not list the video yet', 'completes', { kind: 'not-listed', times: 1 }],
  ['cannot process the video', 'fails', { kind: 'processing-fails' }],
  ['rejects the video', 'fails', { kind: 'processing-rejected' }],
];

const TRANSCRIPTION: Row[] = [
  ['returns no times', 'completes', { kind: 'no-verbose-json' }],
  ['returns words inside segments', 'completes', { kind: 'words-in-segments' }],
  ['returns only words', 'completes', { kind: 'words-only' }],
  ['sends an incomplete response', 'fails', { kind: 'broken-transcript' }],
  ['sends a different shape', 'fails', { kind: 'wrong-transcript' }],
  ['resets the connection once', 'completes', { kind: 'reset', when: 'before-headers', on: 'transcription', times: 1 }],
];

const CHAT: Row[] = [
  ['supports no JSON schema', 'completes', { kind: 'no-json-schema', objectToo: true }],
  ['supports no temperature', 'completes', { kind: 'no-temperature' }],
  ['has a small context', 'completes', { kind: 'context-too-long', maxCharacters: 4_000 }],
  ['wraps its response in a code fence', 'completes', { kind: 'fenced-response' }],
  ['sends invalid JSON once', 'completes', { kind: 'broken-response', times: 1 }],
  ['always sends a different shape', 'fails', { kind: 'wrong-response' }],
  ['is cut off once', 'completes', { kind: 'cut-response', times: 1 }],
  ['invents quotes', 'completes', { kind: 'invented-quote' }],
  ['refuses to respond', 'fails', { kind: 'model-refuses' }],
  ['follows instructions in the transcript', 'completes', { kind: 'obedient-model' }],
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

async function testRefresh(end: End, faults: readonly FaultInput[]): Promise<void> {
  const { stage, product } = await ready();
  const { control } = stage.sandbox;
  control.grow(FUNNEL, 250);
  control.grow(FUNNEL, 10, { videoBytes: 300_000 });
  const set = faults.map((fault) => control.fail(fault));
  const status = await refresh(product, 'all', 100_000);
  if (end === 'completes') expect(status).toMatchObject({ error: null, processed: 264 });
  else expectReason(status.error);
  for (const fault of set) fault.stop();
  await refresh(product);
  await stage.settled();
  const [row] = await stage.ask<{ n: string }>(
    'SELECT count(*) AS n FROM interview WHERE video_url IS NOT NULL AND video_file IS NULL',
  );
  expect(Number(row?.n)).toBe(0);
  await stage.expectConsistent();
}

const STEPS = {
  convert: [convertInterview, 'youtubeStatus', 'youtubeError'],
  transcribe: [transcribeInterview, 'transcriptionStatus', 'transcriptionError'],
  summarize: [summarizeInterview, 'summaryStatus', 'summaryError'],
} as const;

async function testStep(step: keyof typeof STEPS, end: End, faults: readonly FaultInput[]): Promise<void> {
  const { stage, product } = await ready();
  await refresh(product);
  const id = stage.sandbox.control.interviews(FUNNEL)[0]?.id ?? '';
  const [endpoint, status] = STEPS[step];
  const done = async (): Promise<Interview> => {
    await product.call(endpoint, { params: { id } });
    await stage.settled(100_000);
    return product.call(getInterview, { params: { id } });
  };
  // The video host processes at its normal speed again, apart from the fault.
  stage.sandbox.control.clearFaults();
  const set = faults.map((fault) => stage.sandbox.control.fail(fault));
  const after = await done();
  for (const fault of set) fault.stop();
  expect(after[status]).toBe(end === 'completes' ? 'completed' : 'failed');
  if (end === 'fails') {
    const entry = await stage.ask<{ details: { error: string } }>(
      "SELECT details FROM log_entry WHERE type = 'error' ORDER BY id DESC LIMIT 1",
    );
    expectReason(entry[0]?.details.error);
    expect((await done())[status]).toBe('completed');
  }
  await stage.expectConsistent();
}

/** Expects a readable reason without technical details. */
function expectReason(text: string | null | undefined): void {
  expect(text).toMatch(/\w+ \w+.*\./);
  expect(text).not.toMatch(/unexpected|undefined|\[object|at \w+ \(/i);
}

const TABLES: [service: string, rows: Row[], run: (end: End, faults: readonly FaultInput[]) => Promise<void>][] = [
  ['the interview service', LISTING, testRefresh],
  ['the file server', FILES, testRefresh],
  ['YouTube', GOOGLE, (end, faults) => testStep('convert', end, faults)],
  ['the transcription service', TRANSCRIPTION, (end, faults) => testStep('transcribe', end, faults)],
  ['the chat service', CHAT, (end, faults) => testStep('summarize', end, faults)],
];

for (const [service, rows, run] of TABLES) {
  for (const [what, end, ...faults] of rows) test(`the work ${end} when ${service} ${what}`, () => run(end, faults));
}
