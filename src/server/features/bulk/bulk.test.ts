import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type BulkReport, cancelBulkRun, checkBulkTarget, getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { ErrorBody } from '#contracts/errors.ts';
import { deleteFunnel, updateFunnel } from '#contracts/funnels.ts';
import {
  archiveInterview,
  dismissFailures,
  getInterview,
  listInterviews,
  saveTranscript,
  setDestination,
} from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { convertInterview, summarizeInterview } from '#contracts/processing.ts';
import { type Person, refusal } from '#support/call.ts';
import { ADA, candidateCommand } from '#support/candidate.ts';
import { type InterviewSeed, insertInterviews } from '#support/insert-interviews.ts';
import { jobsEnded } from '#support/jobs-ended.ts';
import { signedInAs } from '#support/people.ts';
import { setUpProcessing } from '#support/processing.ts';
import { refresh } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';
import { updateBulkRunEnd } from './bulk-runs.repo.ts';

/** The file is long because its tests share one installation and the start and end of runs. */
const READY = {
  youtubeId: 'yt',
  youtubeStatus: 'completed',
  transcriptionStatus: 'completed',
  summaryStatus: 'completed',
} as const;

async function setUp(seeds: readonly Omit<InterviewSeed, 'funnelId'>[] = [], env: Record<string, string> = {}) {
  const product = await startApp({ env });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter);
  if (seeds.length > 0)
    await insertInterviews(
      product.db,
      seeds.map((seed) => ({ ...seed, funnelId })),
    );
  return { product, recruiter, funnelId };
}

const many = (n: number, seed: Partial<InterviewSeed> = {}) =>
  Array.from({ length: n }, (_, at) => ({ ...seed, id: `iv_${String(at).padStart(5, '0')}` }));

type Body = CallInput<typeof startBulkRun>['body'];

const start = (recruiter: Person, body: Body) => recruiter.call(startBulkRun, { body });

const reportOf = (recruiter: Person, id: number) => recruiter.call(getBulkRun, { params: { id } });

const ended = (recruiter: Person, id: number, limitMs = 20_000): Promise<BulkReport> =>
  until(
    'the bulk run ends',
    async () => {
      const report = await reportOf(recruiter, id);
      return report.status === 'running' ? null : report;
    },
    limitMs,
  );

async function run(recruiter: Person, body: Body): Promise<BulkReport> {
  return ended(recruiter, (await start(recruiter, body)).id);
}

/** An interview that is ready, and one that was sent with notes. */
async function setUpDestinations() {
  const { recruiter } = await setUp([
    { id: 'ready', ...READY },
    { id: 'sent', ...READY },
  ]);
  const sent = { destinationId: 'BUB-ACME-99', notes: 'Salary talk done' };
  await recruiter.call(setDestination, { params: { id: 'sent' }, body: sent });
  const destinationOf = async (id: string) =>
    (await recruiter.call(getInterview, { params: { id } })).processingStatus.destination;
  return { recruiter, target: { ids: ['ready', 'sent'] }, destinationOf };
}

const reasonsOf = ({ items }: BulkReport) =>
  Object.fromEntries(items.map(({ interviewId, reason }) => [interviewId, reason]));

describe('edits of many interviews', () => {
  test('a long title with an emoji is logged by a bulk run', async () => {
    const title = `${'a'.repeat(118)}\u{1F600} and more`;
    const { recruiter } = await setUp([{ id: 'iv_1', title }]);
    expect(await run(recruiter, { action: 'archive', target: { ids: ['iv_1'] } })).toMatchObject({
      done: 1,
      failed: 0,
    });
    const { logs } = await recruiter.call(listLogs, { query: {} });
    expect(JSON.stringify(logs)).toContain(`"title":"${'a'.repeat(118)}…"`);
  });

  test('a bulk run archives interviews, skips archived ones with the reason, and one run undoes it', async () => {
    const { recruiter } = await setUp(many(4));
    await recruiter.call(archiveInterview, { params: { id: 'iv_00003' } });
    const ids = many(4).map(({ id }) => id);

    const archived = await run(recruiter, { action: 'archive', target: { ids: [...ids, 'iv_unknown', 'iv_00000'] } });
    expect(archived).toMatchObject({ status: 'completed', total: 5, done: 3, skipped: 2, failed: 0, started: 0 });
    expect(archived.reasons).toContainEqual({ outcome: 'skipped', reason: 'Deleted in the meantime.', count: 1 });
    expect(reasonsOf(archived)).toEqual({ iv_00003: 'Already archived.' });
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(0);

    const restored = await run(recruiter, { action: 'unarchive', target: { run: archived.id } });
    expect(restored).toMatchObject({ status: 'completed', total: 3, done: 3 });
    // The interview that was archived before stays archived.
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(3);
  });

  test('a run that changed nothing cannot be undone', async () => {
    const { recruiter } = await setUp(many(1));
    const skipped = await run(recruiter, { action: 'unarchive', target: { ids: ['iv_00000'] } });
    expect(reasonsOf(skipped)).toEqual({ iv_00000: 'Not archived.' });
    const { body } = await refusal(start(recruiter, { action: 'archive', target: { run: skipped.id } }));
    expect(ErrorBody.parse(body)).toMatchObject({ code: 'conflict' });
  });

  test('a bulk run sets a destination where the steps are complete', async () => {
    const { recruiter } = await setUp([
      { id: 'ready', ...READY },
      { id: 'unready', ...READY, summaryStatus: null },
      { id: 'sent', ...READY, destinationId: 'BUB-ACME-1' },
    ]);
    const target = { ids: ['ready', 'unready', 'sent'] };
    const done = await run(recruiter, {
      action: 'setDestination',
      target,
      destinationId: 'BUB-ACME-1',
      notes: 'Call first',
    });
    expect(done).toMatchObject({ done: 1, skipped: 2 });
    expect(reasonsOf(done)).toEqual({
      unready: 'Not ready: convert, transcribe and summarize it first.',
      sent: 'Already has this destination.',
    });
    const ready = await recruiter.call(getInterview, { params: { id: 'ready' } });
    expect(ready.processingStatus.destination).toMatchObject({ id: 'BUB-ACME-1', notes: 'Call first' });
  });

  test('by default a bulk run keeps existing destinations and lists them', async () => {
    const { recruiter, target, destinationOf } = await setUpDestinations();
    expect(await recruiter.call(checkBulkTarget, { body: { target } })).toEqual({ total: 2, withDestination: 1 });
    const kept = await run(recruiter, { action: 'setDestination', target, destinationId: 'BUB-OTHER-1' });
    expect(kept).toMatchObject({ done: 1, skipped: 1 });
    expect(reasonsOf(kept)).toEqual({ sent: 'Kept its destination.' });
    expect(await destinationOf('sent')).toMatchObject({ id: 'BUB-ACME-99', notes: 'Salary talk done' });
  });

  test('a replaced destination keeps its notes unless new ones are given, and one run restores all', async () => {
    const { recruiter, target, destinationOf } = await setUpDestinations();
    const before = await destinationOf('sent');
    const replace = { action: 'setDestination', target, destinationId: 'BUB-OTHER-1', existing: 'replace' } as const;
    await run(recruiter, { ...replace, notes: '' });
    expect(await destinationOf('sent')).toMatchObject({ id: 'BUB-OTHER-1', notes: 'Salary talk done' });
    const second = await run(recruiter, { ...replace, destinationId: 'BUB-OTHER-2', notes: 'New' });
    expect(await destinationOf('sent')).toMatchObject({ id: 'BUB-OTHER-2', notes: 'New' });
    const [entry] = (await recruiter.call(listLogs, { query: {} })).logs;
    expect(entry?.summary).toBe('Set the destination of 2 interviews to BUB-OTHER-2.');
    expect(entry?.details).toMatchObject({
      interviews: [
        { interviewId: 'ready', former: { destinationId: 'BUB-OTHER-1', notes: null } },
        { interviewId: 'sent', former: { destinationId: 'BUB-OTHER-1', notes: 'Salary talk done' } },
      ],
    });

    const undone = await run(recruiter, { action: 'undoDestination', target: { run: second.id } });
    expect(undone).toMatchObject({ done: 2, skipped: 0 });
    expect(await destinationOf('sent')).toMatchObject({ id: 'BUB-OTHER-1', notes: 'Salary talk done' });
    expect(before).toMatchObject({ id: 'BUB-ACME-99' });
  });

  test('an undo restores a missing destination, and keeps later changes', async () => {
    const { recruiter, target, destinationOf } = await setUpDestinations();
    const replace = { action: 'setDestination', target, destinationId: 'BUB-OTHER-1', existing: 'replace' } as const;
    const replaced = await run(recruiter, replace);
    await recruiter.call(setDestination, { params: { id: 'sent' }, body: { destinationId: 'BUB-LATER-1' } });
    const undone = await run(recruiter, { action: 'undoDestination', target: { run: replaced.id } });
    expect(reasonsOf(undone)).toEqual({ sent: 'Changed in the meantime.' });
    expect(await destinationOf('ready')).toBeUndefined();
    expect(await destinationOf('sent')).toMatchObject({ id: 'BUB-LATER-1' });
  });

  test('only a run that set destinations can be undone as one', async () => {
    const { recruiter, target } = await setUpDestinations();
    const ids = await refusal(start(recruiter, { action: 'undoDestination', target }));
    expect(ids.body).toMatchObject({ code: 'invalid_input', field: 'target' });
    const archived = await run(recruiter, { action: 'archive', target });
    const other = await refusal(start(recruiter, { action: 'undoDestination', target: { run: archived.id } }));
    expect(other.body).toMatchObject({ code: 'conflict', message: 'There is nothing to undo.' });
  });

  test('the System Logs have one entry of an edit, with every changed interview and the account', async () => {
    const { recruiter } = await setUp(many(3));
    const { id } = await run(recruiter, { action: 'archive', target: { ids: ['iv_00000', 'iv_00002'] } });
    const { logs } = await recruiter.call(listLogs, { query: {} });
    const entries = logs.filter(({ metadata }) => metadata?.bulkRunId === id);
    expect(entries.map(({ summary, actor }) => [summary, actor?.name])).toEqual([['Archived 2 interviews.', 'admin']]);
    expect(entries[0]?.details).toMatchObject({
      interviews: [{ interviewId: 'iv_00000', title: expect.any(String) }, { interviewId: 'iv_00002' }],
    });
  });
});

test('the destination and notes that a bulk run replaced are redacted in its log entry once the candidate is erased', async () => {
  const { product, recruiter } = await setUp([
    { id: 'ada', ...READY, candidateName: ADA.name },
    { id: 'ben', ...READY },
  ]);
  await product.db.updateTable('interview').set({ candidate_email: ADA.email }).where('id', '=', 'ada').execute();
  const target = { ids: ['ada', 'ben'] };
  for (const id of target.ids)
    await recruiter.call(setDestination, {
      params: { id },
      body: { destinationId: `BUB-OF-${id}`, notes: `Note ${id}` },
    });
  await run(recruiter, { action: 'setDestination', target, destinationId: 'BUB-OTHER-1', existing: 'replace' });
  const traces = ['"ada"', 'Interview ada', 'BUB-OF-ada', 'Note ada'];
  const entryOfRun = async () => {
    const { logs } = await recruiter.call(listLogs, { query: {} });
    return JSON.stringify(logs.find(({ action }) => action === 'bulk-run'));
  };
  for (const trace of traces) expect(await entryOfRun()).toContain(trace);

  await candidateCommand(product, ['erase', ADA.email, '--yes']);
  const entry = await entryOfRun();
  for (const trace of traces) expect(entry).not.toContain(trace);
  for (const kept of ['BUB-OF-ben', 'Note ben', 'Interview ben']) expect(entry).toContain(kept);
});

describe('the interviews of a filter', () => {
  test('the interviews of a filter are those that the list shows, while their number is as expected', async () => {
    const { recruiter, funnelId } = await setUp([
      { id: 'a', title: 'Night nurse' },
      { id: 'b', title: 'Nurse', ...READY },
      { id: 'c', title: 'Driver' },
    ]);
    const filter = { search: 'nurse', status: 'new', funnelId: [funnelId] } as const;
    const outdated = await refusal(start(recruiter, { action: 'archive', target: { filter, expected: 2 } }));
    expect([outdated.status, outdated.body]).toMatchObject([409, { code: 'matches_changed', matches: 1 }]);
    const done = await run(recruiter, { action: 'archive', target: { filter, expected: 1 } });
    expect(done).toMatchObject({ total: 1, done: 1 });
    expect((await recruiter.call(getInterview, { params: { id: 'a' } })).archived).toBe(true);
  });

  test('the interviews of a filter are at most 10,000, all of which get an outcome', async () => {
    const { product, recruiter, funnelId } = await setUp();
    for (let from = 0; from < 10_001; from += 2_500)
      await insertInterviews(
        product.db,
        many(10_001)
          .slice(from, from + 2_500)
          .map((seed) => ({ ...seed, funnelId })),
      );
    const target = (expected: number): Body => ({ action: 'archive', target: { filter: {}, expected } });
    const { body } = await refusal(start(recruiter, target(10_000)));
    expect(body).toMatchObject({ field: 'filter', message: 'filter must match at most 10,000 interviews' });
    await recruiter.call(archiveInterview, { params: { id: 'iv_00000' } });
    const done = await run(recruiter, target(10_000));
    expect(done).toMatchObject({ status: 'completed', total: 10_000, done: 10_000 });
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(0);
  });
});

describe('steps of many interviews', () => {
  test('process converts and summarizes, and reports skipped interviews with reasons', async () => {
    const { sandbox, product, recruiter, funnelId } = await setUpProcessing();
    const [first, second] = sandbox.control.interviews('warehouse').map(({ id }) => id);
    if (!first || !second) throw new Error('The sandbox has too few interviews');
    await insertInterviews(product.db, [
      { id: 'done', funnelId, ...READY },
      { id: 'archived', funnelId, archived: true },
      { id: 'no-video', funnelId },
      { id: 'busy', funnelId, youtubeId: 'yt', summaryStatus: 'in-progress', transcriptionStatus: 'in-progress' },
    ]);
    const target = { ids: [first, second, 'done', 'archived', 'no-video', 'busy'] };
    const report = await run(recruiter, { action: 'process', target });
    expect(report).toMatchObject({ status: 'completed', total: 6, done: 2, skipped: 4, failed: 0, started: 0 });
    expect(reasonsOf(report)).toEqual({
      done: 'Already converted and summarized.',
      archived: 'Archived.',
      'no-video': 'No video.',
      busy: 'Already running.',
    });
    expect(report.reasons).toContainEqual({ outcome: 'skipped', reason: 'No video.', count: 1 });
    for (const id of [first, second])
      expect(await recruiter.call(getInterview, { params: { id } })).toMatchObject({
        youtubeStatus: 'completed',
        transcriptionStatus: 'completed',
        summaryStatus: 'completed',
      });
    const again = await run(recruiter, { action: 'convert', target: { ids: [first] } });
    expect(reasonsOf(again)).toEqual({ [first]: 'Already converted.' });
  });

  test('a failed step fails its interview, and a retry starts the failed steps only', async () => {
    const { sandbox, product, recruiter, funnelId } = await setUpProcessing();
    const [{ id = '' } = {}] = sandbox.control.interviews('warehouse');
    await insertInterviews(product.db, [{ id: 'fine', funnelId, ...READY }]);
    sandbox.control.fail({ kind: 'status', status: 400, on: 'transcription' });
    const failed = await run(recruiter, { action: 'transcribe', target: { ids: [id] } });
    expect(failed).toMatchObject({
      status: 'completed',
      done: 0,
      failed: 1,
      items: [{ interviewId: id, outcome: 'failed' }],
    });
    sandbox.control.clearFaults();

    const retried = await run(recruiter, { action: 'retry', target: { ids: [id, 'fine'] } });
    expect(retried).toMatchObject({ done: 1, skipped: 1, failed: 0 });
    expect(reasonsOf(retried)).toEqual({ fine: 'Nothing to retry.' });
  });

  test('a step that is not set up is skipped with that reason', async () => {
    const { product, recruiter } = await setUp(many(1));
    await product.db.updateTable('interview').set({ video_url: 'https://videos.example/1.mp4' }).execute();
    for (const [action, reason] of [
      ['convert', "Converting isn't set up."],
      ['transcribe', "Transcription isn't set up."],
      ['summarize', "Summaries aren't set up."],
    ] as const)
      expect(reasonsOf(await run(recruiter, { action, target: { ids: ['iv_00000'] } }))).toEqual({ iv_00000: reason });
  });

  test('a transcript of the interview service is used without a transcription service', async () => {
    const { sandbox, recruiter } = await setUpProcessing({
      env: { TRANSCRIPTION_URL: '' },
      at: () => ({ transcript: { text: 'I plan ahead.', segments: [{ start: 1, end: 2, text: 'I plan ahead.' }] } }),
    });
    const ids = sandbox.control.interviews('warehouse').map(({ id }) => id);
    const report = await run(recruiter, { action: 'summarize', target: { ids } });
    expect(report).toMatchObject({ done: 1, skipped: ids.length - 1, failed: 0 });
    expect(report.reasons.map(({ reason }) => reason)).toContain("Transcription isn't set up.");
  });

  test('canceling withdraws the steps that have not begun', async () => {
    const { sandbox, recruiter } = await setUpProcessing({ env: { CONVERT_CONCURRENCY: '1' } });
    const ids = sandbox.control.interviews('warehouse').map(({ id }) => id);
    sandbox.control.fail({ kind: 'latency', ms: 300, on: 'google' });
    const { id } = await start(recruiter, { action: 'convert', target: { ids } });
    await until('the steps are started', async () => (await reportOf(recruiter, id)).started > 1);
    await recruiter.call(cancelBulkRun, { params: { id } });
    const report = await ended(recruiter, id);
    expect(report.status).toBe('canceled');
    expect(report.reasons).toContainEqual({ outcome: 'skipped', reason: 'Canceled.', count: report.skipped });
    expect(report.skipped).toBeGreaterThan(0);
    expect(report.done + report.skipped).toBe(report.total);
    const withdrawn = await recruiter.call(getInterview, { params: { id: report.items[0]?.interviewId ?? '' } });
    expect(withdrawn.youtubeStatus).toBe(null);
    // It can be started again.
    sandbox.control.clearFaults();
    await recruiter.call(convertInterview, { params: { id: withdrawn.id } });
    const { code } = ErrorBody.parse((await refusal(recruiter.call(cancelBulkRun, { params: { id } }))).body);
    expect(code).toBe('conflict');
  });

  test("canceling keeps a transcript that another user's summary waits for", async () => {
    const { sandbox, product, recruiter } = await setUpProcessing({ env: { TRANSCRIBE_CONCURRENCY: '1' } });
    const ids = sandbox.control.interviews('warehouse').map(({ id }) => id);
    const colleague = await signedInAs(product, { role: 'recruiter' });
    const slow = sandbox.control.fail({ kind: 'latency', ms: 3_000, on: 'transcription' });
    const { id: runId } = await start(recruiter, { action: 'transcribe', target: { ids } });
    const { interview_id: id } = await until('a transcript waits for its turn', () =>
      product.db.selectFrom('step_run').select('interview_id').where('worker', 'is', null).executeTakeFirst(),
    );
    await colleague.call(summarizeInterview, { params: { id } });
    await recruiter.call(cancelBulkRun, { params: { id: runId } });
    slow.stop();
    const report = await ended(recruiter, runId);
    expect(report.skipped).toBeGreaterThan(0);
    const { processingStatus } = await until('the summary ends', async () => {
      const interview = await colleague.call(getInterview, { params: { id } });
      return interview.summaryStatus !== 'in-progress' && interview;
    });
    expect(processingStatus).toMatchObject({
      transcription: { status: 'completed' },
      summary: { status: 'completed' },
    });
  });
});

const failuresOf = async (recruiter: Person) => (await recruiter.call(listInterviews, { query: {} })).failures;

describe('failures', () => {
  test('every list has the number of interviews with failed steps, and one run retries them all', async () => {
    const { summary } = await startSandbox();
    const env = { SUMMARY_URL: summary.url, SUMMARY_API_KEY: summary.apiKey, SUMMARY_MODEL: summary.model };
    const seeds: Parameters<typeof setUp>[0] = [
      { id: 'two', youtubeId: null, youtubeStatus: 'failed', summaryStatus: 'failed' },
      { id: 'one', ...READY, summaryStatus: 'failed', transcript: 'We plan every shift.' },
      { id: 'archived', summaryStatus: 'failed', archived: true },
      { id: 'fine', ...READY },
    ];
    const { product, recruiter, funnelId } = await setUp(seeds, env);
    const failures = async () => (await recruiter.call(listInterviews, { query: { search: 'nobody' } })).failures;
    expect(await failures()).toEqual({ interviews: 2, permanent: 0 });
    const target = { filter: { status: 'error' }, expected: 2 } as const;
    const retried = await run(recruiter, { action: 'retry', target });
    expect(retried).toMatchObject({ done: 1, skipped: 1 });
    expect(reasonsOf(retried)).toEqual({ two: 'No video.' });
    expect(await failures()).toEqual({ interviews: 1, permanent: 0 });
    await insertInterviews(product.db, [{ id: 'more', funnelId, youtubeStatus: 'failed' }]);
    expect(await failures()).toEqual({ interviews: 2, permanent: 0 });
  });
});

describe('failures that would repeat', () => {
  test('a recording without sound is not counted as failed, not retried, and can be dismissed', async () => {
    const { recruiter, id, read, done } = await setUpProcessing({
      at: ({ url }) => ({ videoUrl: `${url}/media/videos/eng-microphone-off.mp4` }),
    });
    const { processingStatus } = await done('summarize');
    const error = 'This recording has no sound.';
    expect(processingStatus.transcription).toMatchObject({ status: 'failed', error, permanent: true });
    expect(processingStatus.summary).toMatchObject({ error: `Couldn't transcribe: ${error}`, permanent: true });
    const failures = () => failuresOf(recruiter);
    expect(await failures()).toEqual({ interviews: 0, permanent: 1 });
    const retried = await run(recruiter, { action: 'retry', target: { filter: { status: 'error' }, expected: 1 } });
    expect(reasonsOf(retried)).toEqual({ [id]: error });

    await recruiter.call(dismissFailures, { params: { id } });
    expect(await read()).toMatchObject({ transcriptionStatus: null, summaryStatus: null });
    expect(await failures()).toEqual({ interviews: 0, permanent: 0 });
    const { logs } = await recruiter.call(listLogs, { query: {} });
    expect(logs[0]).toMatchObject({
      action: 'dismiss-failures',
      details: { errors: [error, `Couldn't transcribe: ${error}`] },
    });
  });

  test('a transcript written by hand makes the summary possible again', async () => {
    const { product, recruiter } = await setUp([
      { id: 'mute', transcriptionStatus: 'failed', summaryStatus: 'failed' },
    ]);
    await product.db.updateTable('interview').set({ transcription_permanent: true, summary_permanent: true }).execute();
    expect(await failuresOf(recruiter)).toEqual({ interviews: 0, permanent: 1 });
    await recruiter.call(saveTranscript, { params: { id: 'mute' }, body: { transcriptionText: 'Said.' } });
    expect(await failuresOf(recruiter)).toEqual({ interviews: 1, permanent: 0 });
  });
});

describe('a funnel that processes automatically', () => {
  test('automatic processing converts and summarizes interviews that a refresh adds, but no earlier ones', async () => {
    const { sandbox, product, recruiter, funnel, funnelId } = await setUpProcessing();
    await recruiter.call(updateFunnel, { params: { id: funnelId }, body: { ...funnel, processAutomatically: true } });
    const [{ id = '' } = {}] = sandbox.control.grow('warehouse', 1, { videoBytes: 50_000 });
    await refresh(product, recruiter);
    const read = (of: string) => recruiter.call(getInterview, { params: { id: of } });
    await until('it is published', async () => (await read(id)).youtubeStatus === 'completed');
    // The generated video has no sound; the attempt is what counts.
    await until('its transcript ends', async () => (await read(id)).transcriptionStatus === 'failed');
    const others = (await recruiter.call(listInterviews, { query: { limit: 100 } })).interviews;
    expect(others.filter((other) => other.id !== id && other.youtubeStatus !== null)).toEqual([]);
  });
});

test('a run whose funnel is deleted in the meantime ends, and reports the deleted interviews', async () => {
  const { product, recruiter } = await setUp(many(300));
  const other = await product.build.funnel(recruiter, { name: 'Cooks', funnelId: 'cooks' });
  await insertInterviews(
    product.db,
    many(300).map(({ id }) => ({ id: `cook_${id}`, funnelId: other })),
  );
  const target = { filter: { archived: '0' }, expected: 600 } as const;
  const [first, second] = await Promise.all([
    start(recruiter, { action: 'archive', target }),
    start(recruiter, { action: 'archive', target }),
  ]);
  await recruiter.call(deleteFunnel, { params: { id: other } });
  for (const { id } of [first, second]) {
    const { done, skipped, status, reasons } = await ended(recruiter, id);
    expect({ sum: done + skipped, status }).toEqual({ sum: 600, status: 'completed' });
    expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(skipped);
  }
  expect((await recruiter.call(listInterviews, { query: { archived: '1' } })).total).toBe(300);
});

/** Keeps the worker waiting for an interview until the returned function is called. */
async function holdInterview({ db }: TestApp, id: string): Promise<() => Promise<void>> {
  const tx = await db.startTransaction().execute();
  await tx.selectFrom('interview').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return () => tx.commit().execute();
}

test('a worker whose run another one has claimed rolls its interviews back', async () => {
  const { product, recruiter } = await setUp(many(1));
  const release = await holdInterview(product, 'iv_00000');
  const { id } = await start(recruiter, { action: 'archive', target: { ids: ['iv_00000'] } });
  await until('the worker waits for the interview', async () => (await waitingSessions(product.db)) > 0);
  await product.db.updateTable('bulk_run').set({ worker: randomUUID() }).execute();
  await release();
  await jobsEnded(product, { name: 'bulk.run' });
  expect((await recruiter.call(getInterview, { params: { id: 'iv_00000' } })).archived).toBe(false);
  expect(await reportOf(recruiter, id)).toMatchObject({ status: 'running', done: 0 });
});

test('a run that a stopped process left continues in the next one, and changes every interview once', async () => {
  const { product, recruiter } = await setUp(many(600));
  // This interview is in the second of three batches.
  const release = await holdInterview(product, 'iv_00300');
  const { id } = await start(recruiter, { action: 'archive', target: { filter: {}, expected: 600 } });
  await until('the worker waits for the interview', async () => (await waitingSessions(product.db)) > 0);
  const stopped = product.stop();
  // The stop reaches the worker within this time.
  await sql`SELECT pg_sleep(0.3)`.execute(product.db);
  await Promise.all([release(), stopped]);
  const { done_count } = await product.db.selectFrom('bulk_run').select('done_count').executeTakeFirstOrThrow();
  expect(done_count).toBe(500);

  const next = await (await startApp({ database: product.database, dataDir: product.dataDir })).signedIn();
  expect(await ended(next, id)).toMatchObject({ status: 'completed', total: 600, done: 600, skipped: 0, failed: 0 });
  const { logs } = await next.call(listLogs, { query: {} });
  const changed = logs
    .filter(({ metadata, status }) => metadata?.bulkRunId === id && status === 'info')
    .flatMap(({ details }) => details?.interviews as { interviewId: string }[]);
  expect([changed.length, new Set(changed.map(({ interviewId }) => interviewId)).size]).toEqual([600, 600]);
});

test('a run that decides its last interview while its job is looked up is not interrupted', async () => {
  const { product, recruiter } = await setUp();
  const insertRun = (all_decided: boolean) =>
    product.db
      .insertInto('bulk_run')
      .values({ action: 'convert', total: 1, started_by: '{}', status: 'running', all_decided })
      .returning('id')
      .executeTakeFirstOrThrow();
  const decided = await insertRun(true);
  const abandoned = await insertRun(false);
  const interrupted = { status: 'failed', error: 'It was interrupted.' } as const;
  for (const { id } of [decided, abandoned]) await updateBulkRunEnd(product.db, id, interrupted);
  expect((await reportOf(recruiter, decided.id)).status).toBe('running');
  expect((await reportOf(recruiter, abandoned.id)).status).toBe('failed');
});

describe('limits', () => {
  const insertRuns = (
    { product }: Awaited<ReturnType<typeof setUp>>,
    n: number,
    { status, startedBy = 'account' }: { status: string; startedBy?: string },
  ) => {
    const run = { action: 'archive', total: 0, started_by: JSON.stringify({ kind: startedBy }), status };
    return product.db
      .insertInto('bulk_run')
      .values(Array.from({ length: n }, () => run))
      .execute();
  };

  test('at most 20 runs wait for their turn', async () => {
    const stage = await setUp(many(1));
    const body: Body = { action: 'archive', target: { ids: ['iv_00000'] } };
    await insertRuns(stage, 19, { status: 'running' });
    await run(stage.recruiter, body);
    await insertRuns(stage, 1, { status: 'running' });
    const { status, body: response } = await refusal(start(stage.recruiter, body));
    expect([status, response]).toMatchObject([409, { message: expect.stringContaining('Too many bulk runs') }]);
  });

  test('the last 50 ended runs of users are kept, and the last 50 of automatic processing', async () => {
    const stage = await setUp(many(1));
    const { product, recruiter } = stage;
    for (const startedBy of ['account', 'system']) await insertRuns(stage, 60, { status: 'completed', startedBy });
    await run(recruiter, { action: 'archive', target: { ids: ['iv_00000'] } });
    const kinds = await sql<{ kind: string }>`SELECT started_by ->> 'kind' AS kind FROM bulk_run`.execute(product.db);
    const count = (kind: string) => kinds.rows.filter((row) => row.kind === kind).length;
    expect({ users: count('account'), automatic: count('system') }).toEqual({ users: 51, automatic: 50 });
  });
});
