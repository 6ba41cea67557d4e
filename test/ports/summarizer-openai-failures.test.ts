import { describe, expect, onTestFinished, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { OpenaiSummarizerOptions } from '#server/adapters/summarizer-openai/openai-summarizer.ts';
import { never, RETRY, serverAnswering, summarizerStage } from '#support/summaries.ts';

const { sandbox, openai, interview, calls, refusal } = await summarizerStage();

describe('summarizer: openai › refusals and failures', () => {
  test.each<[string, Partial<OpenaiSummarizerOptions>, string, string]>([
    ['a wrong key', { apiKey: 'sk-wrong' }, 'unauthorised', 'SUMMARY_API_KEY'],
    ['no key', { apiKey: '' }, 'unauthorised', 'SUMMARY_API_KEY'],
    ['a key that cannot be one', { apiKey: 'geheim–schlüssel\n' }, 'unauthorised', 'SUMMARY_API_KEY'],
    ['an unknown model', { model: 'gpt-99' }, 'not_found', 'SUMMARY_MODEL'],
  ])('%s', async (_, options, kind, hint) => {
    const error = await refusal(openai(options));
    expect(error).toMatchObject({ kind, isRetryable: false, message: expect.stringContaining(hint) });
    expect(calls()).toBeLessThanOrEqual(1);
  });

  test('a wrong address', async () => {
    const error = await refusal(openai({ url: `${sandbox.url}/openai/v2` }));
    expect(error).toMatchObject({ kind: 'not_found', message: expect.stringContaining('SUMMARY_URL') });
  });

  const said = (status: number, error: unknown, more: object = {}): FaultInput => ({
    kind: 'status',
    on: 'chat',
    status,
    body: { error },
    ...more,
  });
  const quota = {
    message: 'You exceeded your current quota, please check your plan and billing details.',
    code: 'insufficient_quota',
  };

  test.each<[string, FaultInput, string, string]>([
    ['403', said(403, { message: 'Country not supported' }), 'unauthorised', 'Country not supported'],
    ['404', said(404, 'nothing here'), 'not_found', 'SUMMARY_URL'],
    ['a quota that is used up', said(429, quota), 'rejected', 'billing'],
    ['402', said(402, { message: 'Insufficient credits' }), 'rejected', 'billing'],
    ['400 as an object', said(400, { message: 'I do not like it' }), 'rejected', 'It reported: I do not like it'],
    ['400 as a text', said(400, 'I do not like it'), 'rejected', 'It reported: I do not like it'],
    [
      '422 as a list',
      { kind: 'status', on: 'chat', status: 422, body: { detail: [{ msg: 'field required' }] } },
      'rejected',
      'field required',
    ],
    ['400 as a page', { kind: 'status', on: 'chat', status: 400, body: '<h1>Bad</h1>' }, 'rejected', '(400)'],
    ['413', said(413, 'Payload too large'), 'rejected', 'larger context'],
  ])('%s is not retried', async (_, fault, kind, text) => {
    sandbox.control.fail(fault);
    expect(await refusal()).toMatchObject({ kind, isRetryable: false, message: expect.stringContaining(text) });
    expect(calls()).toBe(1);
  });

  test.each<[string, FaultInput, string]>([
    ['500', said(500, { message: 'oops' }), 'unavailable'],
    ['503 as a page', { kind: 'status', on: 'chat', status: 503, body: '<h1>Busy</h1>' }, 'unavailable'],
    ['408', said(408, 'slow'), 'unavailable'],
    ['429', said(429, { message: 'Rate limit reached for requests' }), 'rate_limited'],
    ['a reset before the response', { kind: 'reset', on: 'chat', when: 'before-headers' }, 'unavailable'],
    ['a reset in the response', { kind: 'reset', on: 'chat', when: 'after-headers' }, 'unavailable'],
  ])('%s is retried and then reported', async (_, fault, kind) => {
    sandbox.control.fail({ ...fault, times: 2 });
    expect((await openai().summarize(interview(), never)).expectations).toHaveLength(5);
    sandbox.control.fail(fault);
    expect(await refusal()).toMatchObject({ kind, isRetryable: true });
    expect(calls()).toBe(3 + 4);
  });

  test.each(['seconds', 'date'] as const)(
    'a long Retry-After in %s is reported and not retried early',
    async (retryAfterAs) => {
      const set = sandbox.control.fail(said(429, 'slow down', { retryAfterSeconds: 600, retryAfterAs }));
      const error = await refusal();
      expect(error.kind).toBe('rate_limited');
      expect(error.retryAfterMs).toBeGreaterThan(595_000);
      expect(set.hits()).toBe(1);
    },
  );

  test('a server that hangs is aborted after the timeout', async () => {
    sandbox.control.fail({ kind: 'hang', on: 'chat' });
    const error = await refusal(openai({ timeoutMs: 30, retry: { ...RETRY, tries: 2 } }));
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining("didn't respond within") });
  });

  test('an unreachable address is unavailable', async () => {
    const error = await refusal(openai({ url: 'http://127.0.0.1:9/v1' }));
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('SUMMARY_URL') });
  });

  test.each<[string, number, string, string, string]>([
    ['a page for people', 200, 'text/html', '<h1>Welcome</h1>', 'bad_response'],
    ['JSON that is none', 200, 'application/json', '{"choices":', 'bad_response'],
    ['JSON without choices', 200, 'application/json', '{"choices":[]}', 'bad_response'],
    ['an error with status 200', 200, 'application/json', '{"error":{"message":"upstream","code":503}}', 'unavailable'],
    ['a redirect', 302, 'text/plain', '', 'rejected'],
  ])('%s instead of a response', async (_, status, type, body, kind) => {
    const url = await serverAnswering((respond) => {
      respond.writeHead(status, { 'content-type': type, location: `${sandbox.summary.url}/chat/completions` });
      respond.end(body);
    });
    expect(await refusal(openai({ url }))).toMatchObject({ kind });
    expect(calls()).toBe(0);
  });

  test.each([200, 400])('an endless response with status %i is not read completely', async (status) => {
    const url = await serverAnswering((respond) => {
      respond.on('error', () => {}).writeHead(status, { 'content-type': 'application/json' });
      const more = () => {
        while (respond.write(Buffer.alloc(1_000_000, ' '))) {}
        respond.once('drain', more);
      };
      more();
    });
    expect(await refusal(openai({ url }))).toMatchObject({ kind: expect.stringMatching(/bad_response|rejected/) });
  });

  test('no message, cause or property contains the key', async () => {
    const message = 'Key my-very-secret (or sk-very-secret), see https://x.example/?sig=1';
    for (const status of [400, 401, 403, 404, 429, 500]) {
      const set = sandbox.control.fail(said(status, { message }));
      const error = await refusal(openai({ apiKey: 'my-very-secret' }));
      const all = JSON.stringify([error.message, error.stack, error, String(error.cause)]);
      expect(all).not.toMatch(/very-secret|sig=1/);
      set.stop();
    }
  });

  test('the environment of the process does not reach the server', async () => {
    for (const name of ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_ADMIN_KEY', 'OPENAI_BASE_URL'])
      process.env[name] = 'from-the-environment';
    onTestFinished(() => {
      for (const name of Object.keys(process.env)) if (name.startsWith('OPENAI_')) delete process.env[name];
    });
    let headers = '';
    const url = await serverAnswering((respond, request) => {
      headers = JSON.stringify(request.headers);
      respond.writeHead(401).end();
    });
    await refusal(openai({ url }));
    expect(headers).toContain(`Bearer ${sandbox.summary.apiKey}`);
    expect(headers).not.toContain('from-the-environment');
  });
});
