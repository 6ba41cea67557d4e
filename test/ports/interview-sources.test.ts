import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import type { CreatedRange, InterviewSource, SourceAccess, SourcePage } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { hireflixInterviewSource } from '#server/sources/hireflix/hireflix-interview-source.ts';
import { restInterviewSource } from '#server/sources/rest/rest-interview-source.ts';
import { videoaskInterviewSource } from '#server/sources/videoask/videoask-interview-source.ts';

const RETRY = { tries: 3, firstDelayMs: 1, maxDelayMs: 5 };
const EVERYTHING: CreatedRange = { createdAfter: null, createdBefore: null };
const never = new AbortController().signal;

/** A service as the suite needs it. */
interface Service {
  source(pageSize?: number): InterviewSource;
  access(): SourceAccess;
  /** The mount of its faults, and the path of its calls. */
  mount: string;
  path: string;
  /** The ids of all recorded interviews. */
  ids(): string[];
  /** Adds an interview that was recorded at this time. */
  add(id: string, recordedAt: Date): void;
  remove(id: string): void;
  /** A fault that changes the shape of responses. */
  garbage: FaultInput;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const SERVICES: Record<string, Service> = {
  rest: {
    source: (pageSize = 100) =>
      restInterviewSource({ baseUrl: sandbox.interviewServiceUrl, pageSize, timeoutMs: 500, retry: RETRY }),
    access: () => ({ source: 'rest', funnelId: 'engineering', apiKey: sandbox.funnels[0]?.apiKey ?? '' }),
    mount: 'interviews',
    path: '/interview-service',
    ids: () => sandbox.control.interviews('engineering').map(({ id }) => id),
    add: (id, recordedAt) => sandbox.control.add('engineering', { id, createdAt: recordedAt.toISOString() }),
    remove: (id) => sandbox.control.remove('engineering', id),
    garbage: { kind: 'wrong-shape', body: { interviews: 'none' } },
  },
  hireflix: {
    source: (pageSize = 50) =>
      hireflixInterviewSource({
        baseUrl: sandbox.hireflix.url,
        pageSize,
        timeoutMs: 500,
        retry: RETRY,
        onFewerFields: () => {},
      }),
    access: () => ({
      source: 'hireflix',
      funnelId: sandbox.hireflix.positionId,
      apiKey: sandbox.hireflix.apiKey,
    }),
    mount: 'hireflix',
    path: '/hireflix/me',
    ids: () => sandbox.control.hireflix.interviews().flatMap(({ id, status }) => (status === 'pending' ? [] : [id])),
    add: (id, recordedAt) =>
      sandbox.control.hireflix.add({
        id,
        status: 'completed',
        createdAt: recordedAt.getTime() - 1_000,
        completedAt: recordedAt.getTime(),
        questions: [{ id: 'q', title: 'Why?', answer: { id: `${id}_a`, url: '/hireflix-media/x/eng-types.mp4' } }],
      }),
    remove: (id) => sandbox.control.hireflix.remove(id),
    garbage: { kind: 'graphql-body', body: '{"data":{"position":{"interviewList":5}}}' },
  },
  videoask: {
    source: (pageSize = 200) => videoask({ pageSize, timeoutMs: 500 }),
    access: () => ({
      source: 'videoask',
      funnelId: sandbox.videoask.formId,
      apiKey: sandbox.videoask.organization,
    }),
    mount: 'videoask',
    path: '/videoask/',
    ids: () => sandbox.control.videoask.contacts.flatMap((row) => (row.status === 'completed' ? [row.contact_id] : [])),
    add: (id, recordedAt) =>
      sandbox.control.videoask.add(
        { contact_id: id, status: 'completed', updated_at: recordedAt.toISOString() },
        { answer_id: `${id}_a`, contact_id: id, question_id: 'vq_1', type: 'video', media_type: 'video' },
      ),
    remove: (id) => sandbox.control.videoask.remove(id),
    garbage: { kind: 'videoask-body', body: '{"title":"A form","results":5}' },
  },
};

/** A new adapter without a pause between calls. */
function videoask(options: Partial<Parameters<typeof videoaskInterviewSource>[0]> = {}): InterviewSource {
  const { url: baseUrl, authUrl, ...credentials } = sandbox.videoask;
  return videoaskInterviewSource({ baseUrl, authUrl, credentials, retry: RETRY, paceMs: 0, ...options });
}

describe.each(Object.entries(SERVICES))('source %s', (_, service) => {
  const pagesOf = async (range = EVERYTHING, pageSize?: number) => {
    const pages: SourcePage[] = [];
    for (let next: SourcePage['next'] | undefined = null; next !== undefined; ) {
      // As a restarted worker reads the cursor from the database.
      const cursor = JSON.parse(JSON.stringify(next));
      const page: SourcePage = await service.source(pageSize).page(service.access(), range, cursor, never);
      pages.push(page);
      next = page.next ?? undefined;
    }
    return pages;
  };
  const idsOf = (pages: readonly SourcePage[]) => pages.flatMap(({ interviews }) => interviews.map(({ id }) => id));
  const refusal = async (access = service.access()): Promise<UpstreamError> => {
    const error = await service
      .source()
      .page(access, EVERYTHING, null, never)
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UpstreamError);
    return error as UpstreamError;
  };
  const calls = () => sandbox.requests.list(service.path).length;

  test('every recorded interview is read once, in pages', async () => {
    const pages = await pagesOf(EVERYTHING, 3);
    expect(pages.length).toBeGreaterThan(2);
    expect(idsOf(pages).sort()).toEqual(service.ids().sort());
    expect(pages.at(-1)?.total).toBe(service.ids().length);
    expect(pages.flatMap(({ unreadable }) => unreadable)).toEqual([]);
  });

  test('a range excludes its start and includes its end', async () => {
    const at = (second: number) => new Date(Date.UTC(2032, 0, 1, 0, 0, second));
    for (const second of [1, 2, 3]) service.add(`range_${second}`, at(second));
    const ids = async (createdAfter: Date | null, createdBefore: Date | null) =>
      idsOf(await pagesOf({ createdAfter, createdBefore }, 2)).sort();
    expect(await ids(at(1), at(3))).toEqual(['range_2', 'range_3']);
    expect(await ids(at(3), null)).toEqual([]);
    const past = await ids(null, at(2));
    expect(past).toEqual(expect.arrayContaining(['range_1', 'range_2', ...service.ids().slice(5)]));
    expect(past).not.toContain('range_3');
  });

  test('an interview is found by its id, and one that was deleted after it was listed is null', async () => {
    const [id = ''] = idsOf(await pagesOf());
    const find = () => service.source().find(service.access(), { id, createdAt: null }, never);
    expect(await find()).toMatchObject({ id });
    service.remove(id);
    expect(await find()).toBeNull();
  });

  test.each([
    ['sends new items on every page', { textBytes: 40_000 }],
    ['sends two pages in turn', { repeats: 2, total: 100_000 }],
    ['promises its total again on every page', { total: 300 }],
  ])('a list without an end that %s is an error', async (_, fault) => {
    sandbox.control.fail({ kind: 'endless', on: service.mount, ...fault });
    const error = await pagesOf().catch((error: unknown) => error);
    expect(error).toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining('What was synced was saved.'),
    });
    expect(calls()).toBeLessThan(700);
  });

  test('the check reports the name and the number of interviews', async () => {
    const { name, interviews } = await service.source().check(service.access(), never);
    expect(name).not.toBe('');
    expect(interviews).toBeGreaterThanOrEqual(service.ids().length);
  });

  test.each<[string, FaultInput, UpstreamError['kind'], number]>([
    ['429', { kind: 'status', status: 429 }, 'rate_limited', RETRY.tries],
    ['502 with a page', { kind: 'status', status: 502, body: '<h1>Bad Gateway</h1>' }, 'unavailable', RETRY.tries],
    ['nothing', { kind: 'hang' }, 'unavailable', RETRY.tries],
    ['a reset', { kind: 'reset', when: 'after-headers' }, 'unavailable', RETRY.tries],
    ['a redirect', { kind: 'status', status: 308 }, 'rejected', 1],
    ['400', { kind: 'status', status: 400 }, 'rejected', 1],
  ])('a response of %s is an error after a number of tries that suits it', async (_, fault, kind, tries) => {
    sandbox.control.fail({ ...fault, on: service.mount } as FaultInput);
    expect(await refusal()).toMatchObject({ kind });
    expect(calls()).toBe(tries);
  });

  test.each<FaultInput>([
    { kind: 'status', status: 503 },
    { kind: 'reset', when: 'before-headers' },
  ])('a transient failure is retried', async (fault) => {
    sandbox.control.fail({ ...fault, on: service.mount, times: 2 } as FaultInput);
    expect(idsOf(await pagesOf()).length).toBe(service.ids().length);
  });

  test('a requested wait that is longer than ours is an error with the time', async () => {
    sandbox.control.fail({ kind: 'status', status: 429, retryAfterSeconds: 600, on: service.mount });
    expect(await refusal()).toMatchObject({ retryAfterMs: 600_000, message: expect.stringContaining('in 10 minutes') });
    expect(calls()).toBe(1);
  });

  test('a response of another shape is rejected', async () => {
    sandbox.control.fail(service.garbage);
    expect(await refusal()).toMatchObject({ kind: 'bad_response' });
  });

  test('a wrong key is rejected with the place to change it, and is in no message', async () => {
    for (const apiKey of ['sk-very-secret', '', 'kéy', 'a\nb']) {
      const error = await refusal({ ...service.access(), apiKey });
      expect(error).toMatchObject({ kind: 'unauthorised', message: expect.stringContaining('Update it in Funnels.') });
      expect(JSON.stringify([error.message, error.stack, error, String(error.cause)])).not.toContain('sk-very-secret');
    }
  });

  test('a refusal that repeats the headers is quoted without the key and the token, plain and as base64', async () => {
    sandbox.control.fail({ kind: 'status', status: 400, repeatsHeaders: true, on: service.mount });
    const { message } = await refusal();
    expect(message).toMatch(/rejected the request \(400\)\. Its response: Bad headers: [… ]+\.$/);
  });

  test('an unknown funnel is rejected with its id', async () => {
    const error = await refusal({ ...service.access(), funnelId: 'nowhere' });
    expect(error).toMatchObject({ kind: 'not_found', message: expect.stringContaining('"nowhere"') });
  });

  test.each(['.', '..', '', '../forms', 'a/b?limit=1', '"){id}}#', '\0'])(
    'a funnel id that is part of a URL or query (%j) is rejected like an unknown one',
    async (funnelId) => {
      expect(await refusal({ ...service.access(), funnelId })).toMatchObject({ kind: 'not_found' });
      for (const { path } of sandbox.requests.list()) expect(path).toMatch(/^\/(interview-service|hireflix|videoask)/);
    },
  );

  test('an abort ends a hanging call', async () => {
    const fault = sandbox.control.fail({ kind: 'hang', on: service.mount });
    const stop = new AbortController();
    const call = service.source().page(service.access(), EVERYTHING, null, stop.signal);
    await expect.poll(() => fault.hits()).toBe(1);
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});
