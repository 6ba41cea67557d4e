import { describe, expect, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { restInterviewSource } from '#server/sources/rest/rest-interview-source.ts';
import { EVERYTHING, INTERVIEW_SOURCES, never, RETRY, readingFirstFunnel } from '#support/interview-source.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const sandbox = await sandboxOfFile();

describe.each(Object.entries(INTERVIEW_SOURCES))('interview source: %s', (_, adapter) => {
  const { funnel, firstPage, refusal, calls } = readingFirstFunnel(adapter, sandbox);

  describe('when the service fails', () => {
    test('an unknown key is rejected', async () => {
      const error = await refusal({ ...funnel(), apiKey: 'secret-wrong-key' });
      expect(error.kind).toBe('unauthorised');
      expect(error.message).toBe("The interview service rejected this funnel's API key. Update it in Funnels.");
      expect(calls()).toBe(1);
    });

    test.each(['schlüssel', 'a\r\nx-evil: 1', ''])('a key that cannot be sent (%j) is rejected', async (apiKey) => {
      expect((await refusal({ ...funnel(), apiKey })).kind).toBe('unauthorised');
      expect(calls()).toBe(0);
    });

    test('an unknown funnel is not found', async () => {
      const error = await refusal({ ...funnel(), funnelId: 'no/such?funnel' });
      expect(error).toMatchObject({ kind: 'not_found', message: expect.stringContaining('Check the Funnel ID') });
    });

    test.each(['.', '..', ''])('a funnel id that is not a path segment (%j) is not found', async (funnelId) => {
      expect((await refusal({ ...funnel(), funnelId })).kind).toBe('not_found');
      expect(calls()).toBe(0);
    });

    test.each<[number, string]>([
      [401, 'unauthorised'],
      [403, 'unauthorised'],
      [404, 'not_found'],
      [400, 'rejected'],
      [422, 'rejected'],
    ])('status %i is %s and not retried', async (status, kind) => {
      sandbox.control.fail({ kind: 'status', status });
      const error = await refusal();
      expect(error).toMatchObject({ kind, isRetryable: false });
      expect(calls()).toBe(1);
    });

    test.each<[number, string]>([
      [408, 'unavailable'],
      [429, 'rate_limited'],
      [500, 'unavailable'],
      [503, 'unavailable'],
    ])('status %i is %s after four tries', async (status, kind) => {
      sandbox.control.fail({ kind: 'status', status });
      expect(await refusal()).toMatchObject({ kind, isRetryable: true });
      expect(calls()).toBe(4);
    });

    test.each<[string, FaultInput]>([
      ['500', { kind: 'status', status: 500, times: 3 }],
      ['502 with a page instead of JSON', { kind: 'status', status: 502, body: '<h1>Bad gateway</h1>', times: 1 }],
      ['429', { kind: 'status', status: 429, times: 2 }],
      ['429 with Retry-After in seconds', { kind: 'status', status: 429, retryAfterSeconds: 0, times: 1 }],
      [
        '429 with Retry-After as a date',
        { kind: 'status', status: 429, retryAfterSeconds: 0, retryAfterAs: 'date', times: 1 },
      ],
      ['a reset before the response', { kind: 'reset', when: 'before-headers', times: 2 }],
      ['a reset in the response', { kind: 'reset', when: 'after-headers', times: 2 }],
      ['an incomplete response', { kind: 'truncated-list', times: 1 }],
      ['latency', { kind: 'latency', ms: 30 }],
    ])('%s is retried until the next response succeeds', async (_, fault) => {
      const set = sandbox.control.fail(fault);
      const page = await firstPage();
      expect(page.interviews.length).toBeGreaterThan(0);
      expect(set.hits()).toBeGreaterThan(0);
    });

    test('a Retry-After above our longest wait is not retried', async () => {
      const set = sandbox.control.fail({ kind: 'status', status: 429, retryAfterSeconds: 120 });
      await expect(firstPage()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 120_000 });
      expect(set.hits()).toBe(1);
    });

    test.each(['seconds', 'date'] as const)(
      'the error reports the Retry-After that was sent as %s',
      async (retryAfterAs) => {
        sandbox.control.fail({ kind: 'status', status: 429, retryAfterSeconds: 600, retryAfterAs });
        const error = await refusal();
        expect(error.kind).toBe('rate_limited');
        expect(error.retryAfterMs).toBeGreaterThan(597_000);
        expect(error.retryAfterMs).toBeLessThanOrEqual(600_000);
        expect(error.message).toContain('in 10 minutes');
      },
    );

    test.each<[string, FaultInput]>([
      ['permanent resets', { kind: 'reset', when: 'before-headers' }],
      ['permanently incomplete responses', { kind: 'truncated-list' }],
    ])('%s are unavailable', async (_, fault) => {
      sandbox.control.fail(fault);
      const error = await refusal();
      expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining("can't be reached") });
    });

    test('invalid JSON is a bad response and not retried', async () => {
      sandbox.control.fail({ kind: 'bad-json' });
      expect((await refusal()).kind).toBe('bad_response');
      expect(calls()).toBe(1);
    });

    test.each([[undefined], [null], [[]], ['interviews'], [{ items: [] }], [{ interviews: null }]])(
      'JSON of another shape (%j) is a bad response',
      async (body) => {
        sandbox.control.fail({ kind: 'wrong-shape', ...(body !== undefined && { body }) });
        // A null body is the sandbox's default shape, which is wrong as well.
        expect((await refusal()).kind).toBe('bad_response');
      },
    );

    test('more items than requested are a bad response', async () => {
      sandbox.control.fail({ kind: 'wrong-shape', body: { interviews: Array(101).fill(0), total: 101 } });
      expect(await refusal()).toMatchObject({
        kind: 'bad_response',
        message: expect.stringContaining('sent 101 interviews at once, but at most 100 were requested'),
      });
      expect(calls()).toBe(1);
    });

    test('no message, cause or property contains the key', async () => {
      const access = { ...funnel(), apiKey: 'sk-very-secret' };
      for (const status of [400, 401, 403, 404, 429, 500]) {
        const message = `Key sk-very-secret, see https://x.example/?sig=1`;
        const set = sandbox.control.fail({ kind: 'status', status, body: { error: 'e', message } });
        const error = await refusal(access);
        expect(JSON.stringify([error.message, error.stack, error, String(error.cause)])).not.toMatch(
          /sk-very-secret|sig=1/,
        );
        set.stop();
      }
    });

    test('an abort ends a hanging call and a wait before a retry', async () => {
      for (const fault of [{ kind: 'hang' }, { kind: 'status', status: 503 }] as const) {
        const set = sandbox.control.fail(fault);
        const stop = new AbortController();
        const patient = restInterviewSource({
          baseUrl: sandbox.interviewServiceUrl,
          retry: { ...RETRY, firstDelayMs: 60_000, maxDelayMs: 60_000 },
        });
        const call = patient.page(funnel(), EVERYTHING, null, stop.signal);
        await expect.poll(() => set.hits()).toBe(1);
        stop.abort();
        await expect(call).rejects.toMatchObject({ name: 'AbortError' });
        set.stop();
      }
    });
  });
});

describe('rest', () => {
  /** Resolves with the kind and message of the error of a first page, under these limits. */
  const errorOf = async (limits: Partial<Parameters<typeof restInterviewSource>[0]>) => {
    const { interviewServiceUrl: baseUrl, funnels } = sandbox;
    const source = restInterviewSource({ baseUrl, retry: { ...RETRY, tries: 2 }, ...limits });
    const access = { source: 'rest' as const, funnelId: funnels[0]?.funnelId ?? '', apiKey: funnels[0]?.apiKey ?? '' };
    const error = await source.page(access, EVERYTHING, null, never).catch((error) => error);
    return [error.kind, error.message];
  };

  test('a hanging call ends after its time limit', async () => {
    const set = sandbox.control.fail({ kind: 'hang' });
    expect(await errorOf({ timeoutMs: 150 })).toEqual([
      'unavailable',
      "The interview service didn't respond within 1 seconds.",
    ]);
    expect(set.hits()).toBe(2);
  });

  test('a response above its size limit is not read to its end', async () => {
    const interviews = 'a'.repeat(3 * 2 ** 20);
    const set = sandbox.control.fail({ kind: 'wrong-shape', body: { interviews } });
    expect(await errorOf({ maxResponseBytes: 2 * 2 ** 20 })).toEqual([
      'bad_response',
      'The interview service sent more than 2 MB at once.',
    ]);
    expect(set.hits()).toBe(1);
  });

  test('a response with millions of values is rejected while it arrives', async () => {
    const body = { interviews: [{ id: 'x', questions: Array(2_000_000).fill(0) }] };
    const set = sandbox.control.fail({ kind: 'wrong-shape', body });
    expect(await errorOf({})).toEqual(['bad_response', expect.stringContaining('has too many parts')]);
    expect(set.hits()).toBe(1);
  });

  test('a missing address is reported with the variable to set', async () => {
    expect(await errorOf({ baseUrl: '' })).toEqual([
      'rejected',
      "Syncing isn't set up yet. Ask an admin to set INTERVIEW_SERVICE_URL and restart the server.",
    ]);
  });
});
