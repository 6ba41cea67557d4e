import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readSeconds } from '#sandbox/interviews/recordings.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import type { VideoAskAnswer } from '#sandbox/videoask/initial-videoask.ts';
import type { CreatedRange } from '#server/ports/interview-source.ts';
import {
  type VideoAskSourceOptions,
  videoaskInterviewSource,
} from '#server/sources/videoask/videoask-interview-source.ts';

const EVERYTHING: CreatedRange = { createdAfter: null, createdBefore: null };
const never = new AbortController().signal;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

function sourceOf(options: Partial<VideoAskSourceOptions> = {}) {
  const { url: baseUrl, authUrl, ...credentials } = sandbox.videoask;
  const retry = { tries: 2, firstDelayMs: 1, maxDelayMs: 5 };
  return videoaskInterviewSource({ baseUrl, authUrl, credentials, retry, paceMs: 0, ...options });
}
const access = () => ({
  source: 'videoask' as const,
  funnelId: sandbox.videoask.formId,
  apiKey: sandbox.videoask.organization,
});
const pathsOf = (path: string) => sandbox.requests.list(path).map((request) => request.path);

test('a contact is an interview whose videos are recordings, and whose other answers are text', async () => {
  const { interviews } = await sourceOf().page(access(), EVERYTHING, null, never);
  const [written, spoken] = interviews;
  const video = { isReady: true, answerText: null, thumbnailUrl: null };
  const url = (file: string) => `${sandbox.url}/media/videos/va_009/${file}.mp4`;
  const said = { text: expect.stringMatching(/^\S+ /), segments: [] };
  const shifts = 'Mornings from Monday to Friday.';
  expect(written).toMatchObject({
    id: 'va_009',
    title: `Barista – ${written?.candidateName}`,
    candidateEmail: 'barista.1@example.com',
    recordedAt: new Date('2026-11-19T16:40:00.000Z'),
    createdAt: new Date('2026-11-19T16:30:00.000Z'),
    durationSeconds: readSeconds('barista-guest-man') + readSeconds('barista-team-man'),
    url: 'https://www.videoask.example/share/va_009/1',
    videoUrl: null,
    thumbnailUrl: `${sandbox.url}/media/thumbnails/barista-guest-man.jpg`,
    questions: [{ position: 0 }, { position: 1, question: 'Which shifts can you work?' }, { position: 2 }],
  });
  expect(written?.segments).toEqual([
    {
      ...video,
      id: 'va_009_a1',
      question: 'Tell us about a difficult guest.',
      videoUrl: url('barista-guest-man'),
      durationSeconds: readSeconds('barista-guest-man'),
      transcript: said,
    },
    {
      ...video,
      id: 'va_009_a2',
      question: 'Which shifts can you work?',
      videoUrl: null,
      transcript: null,
      durationSeconds: 0,
      answerText: shifts,
    },
    {
      ...video,
      id: 'va_009_a3',
      question: 'What makes a good team?',
      videoUrl: url('barista-team-man'),
      durationSeconds: readSeconds('barista-team-man'),
      transcript: said,
    },
  ]);
  expect(spoken?.segments[1]).toMatchObject({ videoUrl: null, answerText: shifts, isReady: true });
});

test('the answers of all contacts are read per question, once for all pages and not at all without new contacts', async () => {
  const source = sourceOf({ pageSize: 3 });
  const first = await source.page(access(), EVERYTHING, null, never);
  const second = await source.page(access(), EVERYTHING, first.next, never);
  expect(second.interviews).toHaveLength(3);
  expect(pathsOf('/videoask/questions')).toHaveLength(3);
  expect(pathsOf('/videoask/forms/f7barista/contacts/')).toEqual([]);
  const later = { createdAfter: new Date('2027-01-01'), createdBefore: null };
  expect((await source.page(access(), later, null, never)).interviews).toEqual([]);
  expect(pathsOf('/videoask/questions')).toHaveLength(3);
});

test('a contact without an answer in the lists is read alone, at most 20 on a page', async () => {
  for (let n = 0; n < 25; n += 1) {
    const contact_id = `gap_${n}`;
    sandbox.control.videoask.add({ contact_id, status: 'completed', updated_at: '2031-01-01T00:00:00.000001Z' });
  }
  const { interviews } = await sourceOf().page(access(), EVERYTHING, null, never);
  expect(interviews).toHaveLength(8);
  expect(pathsOf('/videoask/forms/f7barista/contacts/')).toHaveLength(20);
});

test('a recording that is not transcoded is being processed until the next refresh', async () => {
  sandbox.control.fail({ kind: 'not-transcoded', path: '/videoask/questions/*' });
  const read = async () => {
    const { interviews } = await sourceOf().page(access(), EVERYTHING, null, never);
    return interviews[0]?.segments.map(({ isReady, videoUrl }) => [isReady, videoUrl !== null]);
  };
  expect(await read()).toEqual([
    [false, false],
    [true, false],
    [false, false],
  ]);
  sandbox.control.clearFaults();
  expect(await read()).toEqual([
    [true, true],
    [true, false],
    [true, true],
  ]);
});

test('an access token is requested once, and again when it is rejected', async () => {
  const source = sourceOf();
  await Promise.all([source.check(access(), never), source.positions(access(), never)]);
  await source.check(access(), never);
  expect(pathsOf('/videoask-auth')).toHaveLength(1);
  sandbox.control.videoask.expireTokens();
  expect(await source.check(access(), never)).toEqual({ name: 'Barista', interviews: 8 });
  expect(pathsOf('/videoask-auth')).toHaveLength(2);
});

test('a caller that gives up does not abort the access token that another one waits for', async () => {
  sandbox.control.fail({ kind: 'latency', ms: 500, times: 1, on: 'videoask-auth' });
  const source = sourceOf();
  const [first, second] = [source.check(access(), AbortSignal.timeout(100)), source.check(access(), never)];
  await expect(first).rejects.toThrow('timeout');
  expect((await second).interviews).toBeGreaterThan(0);
});

test('a refused sign-in of the server names the variables', async () => {
  const credentials = { clientId: 'x', clientSecret: 'very-secret', refreshToken: 'y' };
  const error = await sourceOf({ credentials })
    .check(access(), never)
    .catch((error) => error);
  expect([error.kind, error.message]).toEqual([
    'unauthorised',
    'VideoAsk rejected the sign-in of this server. Ask an admin to check VIDEOASK_CLIENT_ID, VIDEOASK_CLIENT_SECRET and VIDEOASK_REFRESH_TOKEN.',
  ]);
  expect(JSON.stringify([error, error.stack])).not.toContain('very-secret');
});

test('calls start with a pause between them', async () => {
  await sourceOf({ paceMs: 40 }).page(access(), EVERYTHING, null, never);
  const times = sandbox.requests.list('/videoask/').map(({ at }) => at);
  expect(times).toHaveLength(5);
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(150);
});

test('the first of several answers to a question is used, and unreadable ones are left out', async () => {
  const answer = (part: object) =>
    ({ contact_id: 'twice', question_id: 'vq_1', type: 'text', input_text: 'Later.', ...part }) as VideoAskAnswer;
  sandbox.control.videoask.add(
    { contact_id: 'twice', status: 'completed', updated_at: '2031-01-01T00:00:00Z' },
    ...[
      answer({ answer_id: 5 }),
      answer({ answer_id: 'nul\0' }),
      answer({ answer_id: 'b' }),
      answer({ answer_id: 'a', input_text: 'Before.' }),
    ],
  );
  const { interviews } = await sourceOf().page(access(), EVERYTHING, null, never);
  expect(interviews[0]?.segments.map(({ id, answerText }) => [id, answerText])).toEqual([['b', 'Later.']]);
});

test('a number of contacts that no list has is left out', async () => {
  sandbox.control.fail({
    kind: 'videoask-body',
    body: '{"title":"F","results":[],"next":null,"count":9007199254740991}',
  });
  expect(await sourceOf().check(access(), never)).toEqual({ name: 'F', interviews: 0 });
});

test('a form without a title is listed with its id, and one without an id is left out', async () => {
  sandbox.control.fail({ kind: 'videoask-body', body: '[null,{"title":"A"},{"form_id":"f","title":null}]' });
  expect(await sourceOf().positions(access(), never)).toEqual([{ id: 'f', name: 'f', isArchived: false }]);
});
