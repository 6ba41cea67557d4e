import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { compressJson } from './compress-json.ts';

const LONG = { text: 'interviews '.repeat(1_000) };
const PACKED = { 'accept-encoding': 'gzip, deflate, br' };

const app = Fastify().addHook('onSend', compressJson);
app.get('/long', () => LONG);
app.get('/short', () => ({ text: 'short' }));
app.get('/text', (_request, reply) => reply.type('text/vtt').send(LONG.text));

test('a long JSON response is compressed for clients that accept gzip', async () => {
  const { headers, rawPayload } = await app.inject({ url: '/long', headers: PACKED });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(Number(headers['content-length'])).toBe(rawPayload.length);
  expect(rawPayload.length).toBeLessThan(200);
  expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(LONG);
});

test('a client without gzip gets the plain response, and caches keep the two apart', async () => {
  const response = await app.inject('/long');
  expect([response.json(), response.headers['content-encoding'], response.headers.vary]).toEqual([
    LONG,
    undefined,
    'accept-encoding',
  ]);
});

test('a HEAD response has the content-encoding of the compressed one', async () => {
  const { headers, rawPayload } = await app.inject({ method: 'HEAD', url: '/long', headers: PACKED });
  expect([headers['content-encoding'], rawPayload.length]).toEqual(['gzip', 0]);
});

test.each(['/short', '/text'])('%s is not compressed', async (url) => {
  expect((await app.inject({ url, headers: PACKED })).headers['content-encoding']).toBeUndefined();
});
