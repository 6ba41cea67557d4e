import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { HireflixInterview } from '#sandbox/hireflix/hireflix-interview.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import type { CreatedRange, SourcePage } from '#server/ports/interview-source.ts';
import {
  type HireflixSourceOptions,
  hireflixInterviewSource,
} from '#server/sources/hireflix/hireflix-interview-source.ts';

const RETRY = { tries: 2, firstDelayMs: 1, maxDelayMs: 5 };
const EVERYTHING: CreatedRange = { createdAfter: null, createdBefore: null };
const never = new AbortController().signal;
const DAY_MS = 86_400_000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const sourceOf = (options: Partial<HireflixSourceOptions> = {}) =>
  hireflixInterviewSource({ baseUrl: sandbox.hireflix.url, retry: RETRY, onFewerFields: () => {}, ...options });
const access = () => ({
  source: 'hireflix' as const,
  funnelId: sandbox.hireflix.positionId,
  apiKey: sandbox.hireflix.apiKey,
});
const pageOf = (range = EVERYTHING, options: Partial<HireflixSourceOptions> = {}, next: SourcePage['next'] = null) =>
  sourceOf(options).page(access(), range, next, never);
const calls = () => sandbox.requests.list('/hireflix/me').length;

/** Adds an interview as the service may have it, newer than all others, and reads it. */
const readBack = async (raw: object) => {
  sandbox.control.hireflix.add({ status: 'completed', createdAt: Date.UTC(2031, 0, 1), ...raw } as HireflixInterview);
  const { interviews, unreadable } = await pageOf({ createdAfter: new Date('2030-01-01'), createdBefore: null });
  return { interview: interviews[0], unreadable };
};
const answer = (id: string, part: object = {}) => ({ id, url: `/hireflix-media/x/${id}.mp4`, encoded: true, ...part });

describe('an interview of Hireflix', () => {
  test('an interview has one segment for each answer, the name of its position and the link for its candidate', async () => {
    const { interview } = await readBack({
      id: 'full',
      updatedAt: Date.UTC(2031, 0, 3),
      completedAt: Date.UTC(2031, 0, 2),
      thumbnail: '/hireflix-media/x/eng-types.jpg',
      candidate: { fullName: ' Ana Silva ', email: 'ana@example.com', phone: '+1' },
      url: { private: 'https://app.hireflix.example/1' },
      externalLink: { url: 'https://share.hireflix.example/1' },
      questions: [
        { id: 'q1', title: 'Who?', answered: 5, answer: answer('a1') },
        { id: 'q2', title: 'When?', answered: null, answer: null },
        { id: 'q3', title: 'Why?', description: 'In a minute.', answered: 6, answer: answer('a3', { encoded: false }) },
      ],
    });
    const signed = (path: string) => expect.stringMatching(`${path}\\?Expires=.*Signature=`);
    const common = { thumbnailUrl: null, durationSeconds: 0, answerText: null, transcript: null };
    expect(interview).toEqual({
      id: 'full',
      title: 'Product Designer – Ana Silva',
      description: 'Designs the pages on which candidates apply.',
      candidateName: 'Ana Silva',
      candidateEmail: 'ana@example.com',
      candidatePhone: '+1',
      recordedAt: new Date('2031-01-02'),
      createdAt: new Date('2031-01-01'),
      updatedAt: new Date('2031-01-03'),
      durationSeconds: 0,
      url: 'https://share.hireflix.example/1',
      videoUrl: null,
      thumbnailUrl: signed('/hireflix-media/x/eng-types.jpg'),
      questions: [
        { position: 0, question: 'Who?' },
        { position: 1, question: 'When?' },
        { position: 2, question: 'Why?' },
      ],
      segments: [
        { id: 'a1', question: 'Who?', videoUrl: signed('/hireflix-media/x/a1.mp4'), isReady: true, ...common },
        { id: 'a3', question: 'Why?', videoUrl: null, isReady: false, ...common },
      ],
      transcript: null,
    });
  });

  test('an interview with a single question is one recording', async () => {
    const questions = [{ id: 'q1', title: 'Who?', answered: 5, answer: answer('a1') }];
    const { interview } = await readBack({ id: 'single', completedAt: Date.UTC(2031, 0, 1), questions });
    expect(interview).toMatchObject({ videoUrl: expect.stringContaining('/a1.mp4'), segments: [] });
  });

  const asked = (...answered: (number | null)[]) =>
    answered.map((at, n) => ({ id: `q${n}`, answered: at, answer: answer(`a${n}`) }));
  const T = Date.UTC(2031, 5, 1);
  test.each<[string, object]>([
    ['completedAt', { completedAt: T, completed: 1, updatedAt: 1, questions: asked(1, 2) }],
    ['completed', { completed: T, updatedAt: 1, questions: asked(1, 2) }],
    ['the last answer', { updatedAt: 1, questions: asked(T, 2, null) }],
    ['updatedAt', { updatedAt: T, questions: asked(null, null) }],
    ['createdAt', { createdAt: T, questions: asked(null) }],
  ])('the time of the recording is %s', async (_, raw) => {
    expect((await readBack({ id: 'timed', ...raw })).interview?.recordedAt).toEqual(new Date(T));
  });

  test.each([
    ['pending', { status: 'pending', questions: asked(T) }],
    ['unanswered', { questions: [{ id: 'q', title: 'Who?', answer: null }] }],
    ['without questions', { questions: null }],
  ])('an interview that is %s is not listed, and is not reported as unreadable', async (_, raw) => {
    const completedAt = Date.UTC(2031, 0, 1);
    expect(await readBack({ id: 'nothing', completedAt, ...raw })).toEqual({ interview: undefined, unreadable: [] });
  });

  test('an interview without an id is unreadable, and the others of its page are read', async () => {
    const result = (id: string | null) =>
      `{"id":${JSON.stringify(id)},"status":"completed","createdAt":${T},"questions":[{"answer":{"id":"a","url":"https://x.example/a.mp4"}}]}`;
    const list = `{"results":[${result(null)},5,${result('ok')}],"lastCursor":"c","count":3,"total":3}`;
    sandbox.control.fail({
      kind: 'graphql-body',
      body: `{"data":{"position":{"name":"P\\u0001","interviewList":${list}}}}`,
    });
    const { interviews, unreadable, total } = await pageOf();
    expect(interviews.map(({ id }) => id)).toEqual(['ok']);
    expect(unreadable.map(({ id, reason }) => [id, reason])).toEqual([
      ['#1', 'The item has no id.'],
      ['#2', 'The item has no id.'],
    ]);
    expect(total).toBe(3);
  });

  test('ids, cursors and totals that the database rejects are rejected or left out', async () => {
    const row = (id: string) =>
      `{"id":"iv${id}","status":"completed","questions":[{"answer":{"id":"a${id}","url":"https://x.example/a.mp4"}}]}`;
    const respond = (rows: string[], cursor: string) =>
      sandbox.control.fail({
        kind: 'graphql-body',
        body: `{"data":{"position":{"name":"P","interviewList":{"results":[${rows}],"lastCursor":"${cursor}","total":9007199254740991}}}}`,
      });
    const first = respond(
      [row('1'), row('2').replace('"a2"', '"a\\u0000"'), row('3').replace('"a3"', '"a\\ud800"')],
      'c',
    );
    const { interviews, unreadable, total } = await pageOf();
    expect([interviews.map(({ id }) => id), total]).toEqual([['iv1'], 3]);
    expect(unreadable.map(({ id, reason }) => [id, reason])).toEqual([
      ['iv2', "questions.0.answer.id can't be read."],
      ['iv3', "questions.0.answer.id can't be read."],
    ]);
    first.stop();
    respond([row('1')], 'c\\u0000');
    await expect(pageOf()).rejects.toMatchObject({ kind: 'bad_response' });
  });

  test('find reads the transcript of each answer with its times, and a page has none', async () => {
    const [listed] = (await pageOf()).interviews;
    expect(listed?.segments.map(({ transcript }) => transcript)).toEqual([null, null, null]);
    const found = await sourceOf().find(access(), { id: listed?.id ?? '', createdAt: null }, never);
    const [first] = found?.segments ?? [];
    expect(first?.transcript?.text).toMatch(/^\S+ .*\.$/s);
    expect(first?.transcript?.segments.length).toBeGreaterThan(1);
    expect(first?.transcript?.segments.map(({ text }) => text).join(' ')).toBe(
      first?.transcript?.text.replace(/\s+/g, ' '),
    );
  });

  test('an interview is being processed until its recordings are encoded', async () => {
    sandbox.control.fail({ kind: 'not-encoded', times: 1 });
    const read = async () =>
      (await pageOf()).interviews[0]?.segments.map(({ isReady, videoUrl }) => [isReady, videoUrl !== null]);
    expect(await read()).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ]);
    expect(await read()).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
  });

  test('an interview that is read again has fresh addresses instead of expired ones', async () => {
    const [listed] = (await pageOf()).interviews;
    const status = async (url: string | null | undefined, method = 'GET') =>
      (await fetch(url ?? '', { method })).status;
    const old = listed?.segments[0]?.videoUrl;
    expect(await status(old)).toBe(200);
    expect(await status(old, 'HEAD')).toBe(403);
    sandbox.control.expireSignatures();
    expect(await status(old)).toBe(403);
    const found = await sourceOf().find(access(), { id: listed?.id ?? '', createdAt: null }, never);
    expect(await status(found?.segments[0]?.videoUrl)).toBe(200);
  });
});

describe('the list of a Hireflix position', () => {
  test('the list ends with an empty page, although that has a cursor too', async () => {
    let next: SourcePage['next'] | undefined = null;
    const sizes: number[] = [];
    while (next !== undefined) {
      const page: SourcePage = await pageOf(EVERYTHING, { pageSize: 6 }, next);
      sizes.push(page.interviews.length);
      next = page.next ?? undefined;
    }
    expect(sizes).toEqual([5, 6, 0]);
    expect(calls()).toBe(3);
  });

  test('a list that repeats its cursor is a bad response', async () => {
    const row = `{"id":"a","status":"pending","createdAt":1}`;
    const list = `{"results":[${row}],"lastCursor":"same","total":1}`;
    sandbox.control.fail({ kind: 'graphql-body', body: `{"data":{"position":{"name":"P","interviewList":${list}}}}` });
    const { next } = await pageOf();
    await expect(pageOf(EVERYTHING, {}, next)).rejects.toMatchObject({ kind: 'bad_response' });
  });

  test('a candidate who answers an invitation of two years ago is among the new interviews', async () => {
    sandbox.control.hireflix.grow(120, { answers: 1, videoBytes: 10 });
    const newest = sandbox.control.hireflix.interviews()[0]?.createdAt ?? 0;
    const late = { id: 'late', status: 'completed', createdAt: newest - 730 * DAY_MS, completedAt: newest + DAY_MS };
    sandbox.control.hireflix.add({ ...late, questions: asked('late') });
    const since: CreatedRange = { createdAfter: new Date(newest), createdBefore: null };
    const found: string[] = [];
    for (let next: SourcePage['next'] | undefined = null; next !== undefined; ) {
      const page: SourcePage = await pageOf(since, {}, next);
      found.push(...page.interviews.map(({ id }) => id));
      next = page.next ?? undefined;
    }
    expect(found).toEqual([expect.any(String), 'late']);
    // Three pages of 50 and an empty one.
    expect(calls()).toBe(4);
  });
  const asked = (id: string) => [
    { id: 'q', title: 'Why?', answer: { id: `${id}_a`, url: '/hireflix-media/x/eng-types.mp4' } },
  ];
});

describe('a response of Hireflix', () => {
  const failure = (options: Partial<HireflixSourceOptions> = {}) =>
    pageOf(EVERYTHING, options).then(
      () => null,
      ({ kind, message }) => ({ kind, message }),
    );

  test.each<[string, string | undefined, string, string, number]>([
    [
      'Something went wrong',
      undefined,
      'rejected',
      'Hireflix rejected the request (200). Its response: Something went wrong',
      1,
    ],
    [
      'Unknown argument "sort".',
      undefined,
      'rejected',
      'Hireflix rejected the request (200). Its response: Unknown argument "sort".',
      1,
    ],
    ['Oops', 'INTERNAL_SERVER_ERROR', 'unavailable', 'Hireflix returned an error. Try again later.', 2],
    ['Not you', 'UNAUTHENTICATED', 'unauthorised', "Hireflix rejected this funnel's API key. Update it in Funnels.", 1],
  ])('a response with the error %s and status 200 is a failure', async (message, code, kind, text, tries) => {
    sandbox.control.fail({ kind: 'graphql-errors', message, ...(code && { code }) });
    expect(await failure()).toEqual({ kind, message: text });
    expect(calls()).toBe(tries);
  });

  test.each<[string[], number]>([
    [['InterviewType.completed'], 1],
    [['InterviewQuestion.answered', 'Answer.encoded'], 2],
  ])('a schema without %s is read with fewer fields from then on, and reported once', async (without, steps) => {
    sandbox.control.fail({ kind: 'old-schema', without });
    const messages: string[] = [];
    const source = sourceOf({ onFewerFields: (message) => messages.push(message) });
    const page = await source.page(access(), EVERYTHING, null, never);
    expect(page.interviews).toHaveLength(11);
    expect(page.interviews[0]?.segments).toHaveLength(3);
    expect(calls()).toBe(1 + steps);
    await source.find(access(), { id: page.interviews[0]?.id ?? '', createdAt: null }, never);
    expect(calls()).toBe(2 + steps);
    expect(messages).toEqual([expect.stringContaining('Cannot query field')]);
  });

  test('fewer fields are read only for the funnel for which one is missing, and all fields again after a while', async () => {
    const fault = sandbox.control.fail({
      kind: 'graphql-errors',
      message: 'Cannot query field "thumbnail"',
      times: 1,
    });
    const messages: string[] = [];
    const source = sourceOf({ onFewerFields: (message) => messages.push(message), levelAgeMs: 300 });
    const read = () => source.page(access(), EVERYTHING, null, never);
    const other = () => source.check({ ...access(), funnelId: 'pos_office' }, never);
    await read();
    expect([fault.hits(), calls()]).toEqual([1, 2]);
    sandbox.control.fail({ kind: 'old-schema', without: ['InterviewType.externalLink'] });
    // The largest document has the missing field.
    await other();
    expect(calls()).toBe(4);
    await read();
    expect(calls()).toBe(5);
    await sleep(350);
    await read();
    expect(calls()).toBe(7);
    expect(messages).toHaveLength(2);
  });

  test('a response that arrives too slowly ends after its time limit', async () => {
    sandbox.control.fail({ kind: 'slow-response', bytesPerSecond: 500 });
    expect(await failure({ timeoutMs: 150 })).toEqual({
      kind: 'unavailable',
      message: "Hireflix didn't respond within 1 seconds.",
    });
  });

  test('a response above its size limit is not read to its end', async () => {
    sandbox.control.fail({ kind: 'graphql-body', body: `"${'a'.repeat(2 ** 21)}"` });
    expect(await failure({ maxResponseBytes: 2 ** 20 })).toEqual({
      kind: 'bad_response',
      message: 'Hireflix sent more than 1 MB at once.',
    });
  });

  const page = (results: string, more = '') =>
    `{"data":{"position":{"name":"P","interviewList":{"results":${results},"lastCursor":"c","total":1}${more}}}}`;
  const rows = (count: number, row: string) => `[${Array.from({ length: count }, () => row).join(',')}]`;
  test.each<[string, string]>([
    ['more interviews than requested', page(rows(51, '{"id":"a"}'))],
    ['hundreds of thousands of values', page(rows(1, `{"id":"a","questions":${rows(250_000, '0')}}`))],
    ['arrays that are nested a million times', `{"data":${'['.repeat(1_000_000)}`],
  ])('a response with %s is a bad response', async (_, body) => {
    sandbox.control.fail({ kind: 'graphql-body', body });
    expect(await failure()).toMatchObject({ kind: 'bad_response' });
    expect(calls()).toBe(1);
  });

  test('a response that names a prototype, or has texts of megabytes, changes nothing else', async () => {
    const long = 'x'.repeat(2_000_000);
    const answered = `[{"title":"Why?","answer":{"id":"q","url":"https://x.example/a.mp4"}}]`;
    const row = `{"id":"a","status":"completed","__proto__":{"isHostile":true},"candidate":{"fullName":"${long}"},"questions":${answered}}`;
    sandbox.control.fail({ kind: 'graphql-body', body: page(`[${row}]`, ',"__proto__":{"isHostile":true}') });
    const [interview] = (await pageOf()).interviews;
    expect(interview?.candidateName).toHaveLength(1_000);
    expect([{}, interview].map((object) => 'isHostile' in (object ?? {}))).toEqual([false, false]);
  });

  test('an error that quotes the key and addresses is shortened to one line without them', async () => {
    const { apiKey } = access();
    const message = `<b>No</b>\n${apiKey} at https://internal.example/?token=1 ${'x'.repeat(1_000)}`;
    sandbox.control.fail({ kind: 'graphql-errors', message });
    const { message: shown } = (await failure()) ?? {};
    expect(shown).toMatch(/^Hireflix rejected the request \(200\)\. Its response: <b>No<\/b> … at … x+$/);
    expect(shown.length).toBeLessThan(400);
  });

  test('the list of positions contains archived ones too', async () => {
    expect(await sourceOf().positions(access(), never)).toEqual([
      { id: 'pos_designer', name: 'Product Designer', isArchived: false },
      { id: 'pos_office', name: 'Office Manager', isArchived: true },
    ]);
  });

  test('a position without a name is listed with its id, and one without an id is left out', async () => {
    const positions =
      '[null,{"id":null,"name":"A"},{"id":"pos_1","name":null},{"id":"pos_2","name":5,"archived":null}]';
    sandbox.control.fail({ kind: 'graphql-body', body: `{"data":{"positions":${positions}}}` });
    expect(await sourceOf().positions(access(), never)).toEqual(
      ['pos_1', 'pos_2'].map((id) => ({ id, name: id, isArchived: false })),
    );
  });
});
