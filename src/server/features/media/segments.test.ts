import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { getInterview, type InterviewDetails, listInterviews } from '#contracts/interviews.ts';
import { getAnswers } from '#contracts/review.ts';
import { getTranscript } from '#contracts/transcripts.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { createEvents } from '#server/compose-events.ts';
import type { Executor } from '#server/db/database.ts';
import { Segments } from '#server/features/interviews/segments/segments.service.ts';
import type { InterviewSource, SourceInterview, SourceSegment } from '#server/ports/interview-source.ts';
import type { Person } from '#support/call.ts';
import { stepsOf } from '#support/processing.ts';
import { FUNNEL, filesIn, refresh } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

/** Spoken in warehouse-safe-shift.mp4. */
const WAREHOUSE = /radio station/;
const clearings: (() => Promise<void>)[] = [];
const onFinished = (clear: () => Promise<void>) => void clearings.push(clear);
afterAll(async () => {
  for (const clear of clearings.reverse()) await clear();
});

/** The answers of each interview that has several, by its id. */
const answers = new Map<string, SourceSegment[]>();
let sandbox: Sandbox;
let product: TestApp;
let recruiter: Person;
let funnelId: number;
let ids: string[];

const withAnswers = (interview: SourceInterview): SourceInterview => {
  const segments = answers.get(interview.id);
  if (!segments) return interview;
  const questions = segments.flatMap(({ question }, position) => (question ? [{ position, question }] : []));
  return { ...interview, segments, questions, videoUrl: null, durationSeconds: 0, transcript: null };
};

/** The sandbox's service records one video; here some interviews have one per answer. */
const changeSource = (source: InterviewSource): InterviewSource => ({
  ...source,
  async page(...input) {
    const page = await source.page(...input);
    return { ...page, interviews: page.interviews.map(withAnswers) };
  },
  async find(...input) {
    const found = await source.find(...input);
    return found && withAnswers(found);
  },
});

function answer(file: string | null, more: Partial<SourceSegment> = {}): SourceSegment {
  const id = randomUUID();
  return {
    id,
    question: `Question ${id}?`,
    videoUrl: file && `${sandbox.url}/media/videos/${id}/${file}`,
    thumbnailUrl: null,
    durationSeconds: 0,
    isReady: true,
    answerText: null,
    transcript: null,
    ...more,
  };
}

const nextId = () => ids.shift() ?? '';
const read = (id: string): Promise<InterviewDetails> => recruiter.call(getInterview, { params: { id } });
const separateInList = async (search: string) =>
  (await recruiter.call(listInterviews, { query: { search } })).interviews[0]?.separateAnswers;
const joined = (id: string): Promise<InterviewDetails> =>
  until('the answers are joined', async () => {
    const interview = await read(id);
    return interview.videoFile === null ? null : interview;
  });

beforeAll(async () => {
  sandbox = await startSandbox(onFinished);
  const funnel = sandbox.funnels.find((one) => one.funnelId === FUNNEL);
  ids = sandbox.control.interviews(FUNNEL).map(({ id }) => id);
  product = await startApp({ env: productVariables(sandbox), changeSource, onFinished });
  recruiter = await product.signedIn();
  funnelId = await product.build.activeFunnel(recruiter, funnel ?? {});
});

describe('an interview with a recording for each answer', () => {
  test('recordings are downloaded answer by answer, and joined into one with the answers as chapters', async () => {
    const id = nextId();
    const parts = ['support-knowledge.mp4', 'warehouse-safe-shift.mp4', 'eng-microphone-off.mp4'];
    answers.set(
      id,
      parts.map((file) => answer(file)),
    );
    await refresh(product, recruiter);
    const { videoFile, hasLocalCopy, duration, segments } = await joined(id);
    expect({ hasLocalCopy, duration }).toEqual({ hasLocalCopy: true, duration: 61 });
    const starts = [0, 19.7, 40.7].map((seconds) => expect.closeTo(seconds, 0));
    expect(segments.map(({ startSeconds }) => startSeconds)).toEqual(starts);
    expect(segments.map(({ durationSeconds }) => Math.round(durationSeconds))).toEqual([20, 21, 20]);
    expect(segments.every((segment) => segment.videoFile?.endsWith('.mp4'))).toBe(true);
    const { answers: chapters } = await recruiter.call(getAnswers, { params: { id } });
    expect(chapters).toEqual(starts.map((startSeconds, position) => ({ position, startSeconds })));
    expect((await recruiter.request({ method: 'GET', url: `/api/files/video/${videoFile}` })).statusCode).toBe(200);
  });

  test('a refresh without changes keeps the answers and the joined recording', async () => {
    const [id = ''] = answers.keys();
    const before = await read(id);
    const requests = sandbox.requests.list('/media/').length;
    expect((await refresh(product, recruiter)).totalFiles).toBe(0);
    expect(await read(id)).toEqual(before);
    expect(sandbox.requests.list('/media/')).toHaveLength(requests);
  });

  test('a recording that is still being processed is fetched by the next refresh, which joins them', async () => {
    const id = nextId();
    const late = answer('warehouse-safe-shift.mp4');
    answers.set(id, [answer('support-knowledge.mp4'), { ...late, videoUrl: null, isReady: false }]);
    await refresh(product, recruiter);
    expect(await read(id)).toMatchObject({ videoFile: null, segments: [{ startSeconds: null }, { videoFile: null }] });
    const arrived = { seconds: expect.closeTo(19.7, 0), isPreparing: true };
    expect([(await read(id)).separateAnswers, await separateInList(id)]).toEqual([arrived, arrived]);
    const { youtubeStatus, processingStatus } = await stepsOf(recruiter, id).done('convert');
    expect(youtubeStatus).toBe('failed');
    expect(processingStatus.youtube?.error).toContain('Answer 2 is still being processed');

    answers.set(id, [...(answers.get(id) ?? []).slice(0, 1), late]);
    // No new interview: the pages of this refresh do not contain this one.
    await refresh(product, recruiter, 'future');
    expect(await joined(id)).toMatchObject({ separateAnswers: null, segments: [{}, {}] });
  });

  test('an answer that the service lists twice is stored once, and unchanged by the next refresh', async () => {
    const [{ id } = { id: '' }] = sandbox.control.grow(FUNNEL, 1);
    const first = answer('support-knowledge.mp4');
    const again = { ...first, videoUrl: answer('eng-microphone-off.mp4').videoUrl };
    answers.set(id, [first, answer('warehouse-safe-shift.mp4'), again]);
    await refresh(product, recruiter);
    const { segments } = await joined(id);
    expect(segments.map(({ durationSeconds }) => Math.round(durationSeconds))).toEqual([20, 21]);
    expect((await refresh(product, recruiter)).totalFiles).toBe(0);
  });

  test('a new recording of one answer replaces the joined recording', async () => {
    const [id = ''] = answers.keys();
    const before = await read(id);
    answers.set(id, [...(answers.get(id) ?? []).slice(0, 2), answer('support-knowledge.mp4')]);
    await refresh(product, recruiter);
    const after = await joined(id);
    expect(after.videoFile).not.toBe(before.videoFile);
    await until('the former files are removed', async () => {
      const names = await filesIn(product, 'videos');
      return [before.videoFile, before.segments[2]?.videoFile].some((name) => name && names.includes(name))
        ? null
        : true;
    });
  });

  test('a join of former recordings that ends late changes nothing, and its file and its jobs are removed', async () => {
    const [id = ''] = answers.keys();
    const before = await read(id);
    const former = { interviewId: id, files: ['former.mp4'] };
    const outcome = { status: 'joined' as const, name: 'late.mp4', startSeconds: [0], durationSeconds: 1 };
    const attach = (tx: Executor) => new Segments(product.db, createEvents()).attachJoined(tx, former, outcome);
    expect(await product.db.transaction().execute(attach)).toBeUndefined();
    expect(await read(id)).toEqual(before);

    await writeFile(join(product.dataDir, 'files/videos/former.mp4'), 'joined by a process that was killed');
    const payload = JSON.stringify({ interviewId: id, baseName: 'former' });
    await sql`INSERT INTO pgboss.job (name, data) VALUES ('media.join-recordings', ${payload}::jsonb)`.execute(
      product.db,
    );
    await until('it is removed', async () => !(await filesIn(product, 'videos')).includes('former.mp4'));
    await until('no job contains the id', async () => {
      const jobs = await sql<{ text: string }>`SELECT data::text AS text FROM pgboss.job`.execute(product.db);
      return jobs.rows.every(({ text }) => !text.includes(id));
    });
  });

  test('an interview with several answers is converted as one video', async () => {
    const [id = ''] = answers.keys();
    expect(await stepsOf(recruiter, id).done('convert')).toMatchObject({ youtubeStatus: 'completed' });
  });

  test('an interview with several answers is transcribed with the times of the joined recording', async () => {
    const [id = ''] = answers.keys();
    await stepsOf(recruiter, id).done('transcribe');
    const { segments } = await read(id);
    const transcript = await recruiter.call(getTranscript, { params: { id } });
    const [first, second] = segments.map(({ startSeconds }) => startSeconds ?? 0);
    const start = (text: RegExp) => transcript.segments.findLast((one) => text.test(one.text))?.startSeconds ?? 0;
    expect(transcript.source).toBe('transcription');
    expect(start(WAREHOUSE)).toBeGreaterThan(second ?? 0);
    expect(transcript.segments[0]?.startSeconds).toBeGreaterThanOrEqual(first ?? 0);
    expect(transcript.transcriptionText).toMatch(WAREHOUSE);
  });

  test("a transcript combines the service's transcripts and written answers with their questions", async () => {
    const id = nextId();
    const spoken = {
      text: 'I stack pallets.',
      segments: [{ startSeconds: 1, endSeconds: 3, text: 'I stack pallets.' }],
    };
    answers.set(id, [
      answer('support-knowledge.mp4', { transcript: { ...spoken, text: 'Hello.', segments: [] } }),
      answer(null, { question: 'When can you start?', answerText: 'In May.' }),
      answer('warehouse-safe-shift.mp4', { transcript: spoken }),
    ]);
    await refresh(product, recruiter);
    const { segments } = await joined(id);
    const calls = sandbox.requests.list('/openai/').length;
    await stepsOf(recruiter, id).done('transcribe');
    const transcript = await recruiter.call(getTranscript, { params: { id } });
    const second = segments[2]?.startSeconds ?? 0;
    expect(second).toBeCloseTo(19.7, 0);
    expect(transcript).toMatchObject({
      source: 'interview-service',
      segments: [
        { startSeconds: 0, text: 'Hello.' },
        { startSeconds: expect.closeTo(second, 0), text: 'When can you start? In May.' },
        { startSeconds: second + 1, endSeconds: second + 3, text: 'I stack pallets.' },
      ],
    });
    expect(sandbox.requests.list('/openai/')).toHaveLength(calls);
  });

  test('recordings with different codecs are not joined, and convert names the setting that helps', async () => {
    const id = nextId();
    answers.set(id, [answer('support-knowledge.mp4'), answer('eng-mentoring.webm')]);
    await refresh(product, recruiter);
    const { processingStatus } = await stepsOf(recruiter, id).done('convert');
    expect(processingStatus.youtube?.error).toContain('Recording 2 has the codec vp9, the first one has avc.');
    expect(processingStatus.youtube?.error).toContain('FFMPEG_PATH');
    const { videoFile, segments } = await read(id);
    expect(videoFile).toBeNull();
    expect(segments.map(({ durationSeconds }) => durationSeconds)).toEqual([20, 21]);
    const kept = { seconds: 41, isPreparing: false };
    await until('the answers stay separate', async () => (await separateInList(id))?.isPreparing === false);
    await refresh(product, recruiter);
    expect([(await read(id)).separateAnswers, await separateInList(id)]).toEqual([kept, kept]);
  });

  test('recordings that are not joined are transcribed one by one, each after the one before', async () => {
    const id = [...answers.keys()].at(-1) ?? '';
    await stepsOf(recruiter, id).done('transcribe');
    const { segments, source } = await recruiter.call(getTranscript, { params: { id } });
    expect(source).toBe('transcription');
    expect(segments.filter(({ startSeconds }) => startSeconds >= 20).length).toBeGreaterThan(1);
    expect(segments.at(-1)?.endSeconds).toBeLessThan(45);
  });

  test('the deletion of a funnel removes all files of an interview with several answers', async () => {
    expect(await filesIn(product, 'videos')).not.toEqual([]);
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    await until('all files are removed', async () => ((await filesIn(product, 'videos')).length === 0 ? true : null));
  });
});
