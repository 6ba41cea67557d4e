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

test('a long answer in JSON is packed for whoever can unpack it', async () => {
  const { headers, rawPayload } = await app.inject({ url: '/long', headers: PACKED });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(Number(headers['content-length'])).toBe(rawPayload.length);
  expect(rawPayload.length).toBeLessThan(200);
  expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(LONG);
});

test('whoever cannot unpack it gets it as it is, and no cache mixes the two up', async () => {
  const answer = await app.inject('/long');
  expect([answer.json(), answer.headers['content-encoding'], answer.headers.vary]).toEqual([
    LONG,
    undefined,
    'accept-encoding',
  ]);
});

test('the head of a packed answer says so', async () => {
  const { headers, rawPayload } = await app.inject({ method: 'HEAD', url: '/long', headers: PACKED });
  expect([headers['content-encoding'], rawPayload.length]).toEqual(['gzip', 0]);
});

test.each(['/short', '/text'])('%s is not worth it, or not ours to pack', async (url) => {
  expect((await app.inject({ url, headers: PACKED })).headers['content-encoding']).toBeUndefined();
});
