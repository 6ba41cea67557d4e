import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

const UNIT = 256 * 1024;
const MB = 2 ** 20;
const REDIRECT = 'http://127.0.0.1:4000/';

let sandbox: Sandbox;
let authorization: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  sandbox.control.reset();
  const { refreshToken } = sandbox.google;
  const { body } = await tokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
  authorization = `Bearer ${body.access_token}`;
});
afterAll(() => sandbox.close());

async function tokens(form: Record<string, string>) {
  const { url, clientId: client_id, clientSecret: client_secret } = sandbox.google;
  const body = new URLSearchParams({ client_id, client_secret, ...form });
  const response = await fetch(`${url}/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function start(sizeBytes: number, title = 'One'): Promise<string> {
  const response = await fetch(
    `${sandbox.google.url}/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status`,
    {
      method: 'POST',
      headers: { authorization, 'x-upload-content-length': String(sizeBytes), 'x-upload-content-type': 'video/mp4' },
      body: JSON.stringify({ snippet: { title }, status: { privacyStatus: 'unlisted' } }),
    },
  );
  return response.headers.get('location') ?? `status ${response.status}`;
}

const put = (sessionUrl: string, range: string, body: Uint8Array<ArrayBuffer> = new Uint8Array()) =>
  fetch(sessionUrl, { method: 'PUT', headers: { authorization, 'content-range': range }, body, redirect: 'manual' });

async function publish(sizeBytes: number, title?: string): Promise<string> {
  const response = await put(
    await start(sizeBytes, title),
    `bytes 0-${sizeBytes - 1}/${sizeBytes}`,
    new Uint8Array(sizeBytes),
  );
  return ((await response.json()) as { id: string }).id;
}

test('published videos and uploads are read over HTTP and deleted by a reset', async () => {
  const sessionUrl = await start(2 * UNIT);
  expect((await put(sessionUrl, `bytes 0-${UNIT - 1}/${2 * UNIT}`, new Uint8Array(UNIT))).status).toBe(308);
  const read = async (what: string) => (await fetch(`${sandbox.url}/control/google/${what}`)).json();
  expect(await read('uploads')).toMatchObject([{ sizeBytes: 2 * UNIT, kept: UNIT, ranges: [{ start: 0, end: UNIT }] }]);
  expect(await read('videos')).toEqual([]);
  await publish(10);
  expect(await read('videos')).toMatchObject([{ title: 'One', sizeBytes: 10 }]);
  await fetch(`${sandbox.url}/control/reset`, { method: 'POST' });
  expect(await read('uploads')).toEqual([]);
});

test.each([
  ['that leave a gap', `bytes ${UNIT}-${2 * UNIT - 1}/${3 * UNIT}`, UNIT],
  ["of a size that isn't a multiple of 256 KiB", `bytes 0-99/${3 * UNIT}`, 100],
  ['of a file of another size', `bytes 0-${UNIT - 1}/${2 * UNIT}`, UNIT],
  ['without a range', '', UNIT],
])('bytes %s are rejected', async (_, range, size) => {
  expect((await put(await start(3 * UNIT), range, new Uint8Array(size))).status).toBe(400);
});

test.each(['', 'a'.repeat(101), 'a<b'])('the title %j is rejected', async (title) => {
  expect(await start(10, title)).toBe('status 400');
});

test('calls without an access token or with an expired one are rejected', async () => {
  const sessionUrl = await start(10);
  authorization = 'Bearer made-up';
  expect((await put(sessionUrl, 'bytes */10')).status).toBe(401);
  expect(await start(10)).toBe('status 401');
});

test('videos can be watched until newer ones need the space; of a larger one only the checksum is kept', async () => {
  const first = await publish(40 * MB);
  const second = await publish(30 * MB, '"Ana" & co');
  const huge = await publish(65 * MB);
  const media = (id: string, headers = {}) => fetch(`${sandbox.google.url}/media/${id}`, { headers });
  expect((await media(first)).status).toBe(404);
  expect((await media(second, { range: 'bytes=0-9' })).headers.get('content-range')).toBe(`bytes 0-9/${30 * MB}`);
  const page = async (id: string) => (await fetch(`${sandbox.google.url}/watch?v=${id}`)).text();
  expect(await page(second)).toContain('<h1>&#34;Ana&#34; &#38; co</h1>');
  expect(await page(huge)).toContain(
    createHash('sha256')
      .update(new Uint8Array(65 * MB))
      .digest('hex'),
  );
  expect((await fetch(`${sandbox.google.url}/watch?v=none`)).status).toBe(404);
});

const consent = (query: Record<string, string>) =>
  fetch(
    `${sandbox.google.url}/o/oauth2/v2/auth?${new URLSearchParams({
      client_id: sandbox.google.clientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'upload',
      ...query,
    })}`,
    { redirect: 'manual' },
  );

test.each<[string, Record<string, string>]>([
  ['of an unknown client', { client_id: 'other' }],
  ['that redirects to another machine', { redirect_uri: 'https://example.com/' }],
  ['that only looks like this machine', { redirect_uri: 'http://127.0.0.1.example.com/' }],
  ['with a plain challenge', { code_challenge: 'x', code_challenge_method: 'plain' }],
  ['without a scope', { scope: '' }],
])('a request for permission %s is blocked', async (_, query) => {
  const response = await consent({ ...query, sandbox_decision: 'allow' });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Access blocked')]);
});

test('a code works once, with the verifier and the redirect address', async () => {
  const challenge = createHash('sha256').update('verifier').digest('base64url');
  const exchange = async (form: Record<string, string>, code?: string) => {
    const granted = await consent({
      code_challenge: challenge,
      code_challenge_method: 'S256',
      access_type: 'offline',
      sandbox_decision: 'allow',
    });
    const fresh = new URL(granted.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const given = { code: code ?? fresh, redirect_uri: REDIRECT, code_verifier: 'verifier', ...form };
    return { code: fresh, ...(await tokens({ grant_type: 'authorization_code', ...given })) };
  };
  expect((await exchange({ code_verifier: 'other' })).body).toMatchObject({ error: 'invalid_grant' });
  expect((await exchange({ redirect_uri: 'http://127.0.0.1:4001/' })).body).toMatchObject({ error: 'invalid_grant' });
  const { code, body } = await exchange({});
  expect(body).toMatchObject({ refresh_token: expect.any(String), scope: 'upload' });
  expect((await exchange({}, code)).body).toMatchObject({ error: 'invalid_grant' });
});
