import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Attempt, surprises } from '#support/attempts.ts';
import { startApp } from '#support/start-app.ts';

const SECRET = 'the secret';

/** Starts the product with secrets around the served folders, and requests raw paths over HTTP. */
async function startWithSecrets() {
  const webFolder = await mkdtemp(join(tmpdir(), 'interviews-web-'));
  onTestFinished(() => rm(webFolder, { recursive: true, force: true }));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'index.html'), '<!doctype html>');
  await writeFile(join(webFolder, 'secret.txt'), SECRET);
  await writeFile(join(webFolder, 'assets/app-abc.js'), 'true');
  const product = await startApp({ jobs: false, webFolder });
  const videos = join(product.dataDir, 'files/videos');
  await mkdir(videos, { recursive: true });
  for (const folder of [videos, join(product.dataDir, 'files'), product.dataDir]) {
    await writeFile(join(folder, '.secret'), SECRET);
    if (folder !== videos) await writeFile(join(folder, 'secret.txt'), SECRET);
  }
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = product.app.server.address() as AddressInfo;
  const { cookie = '' } = await product.signedIn();
  const get = async (path: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
    request({ host: '127.0.0.1', port, path, headers: { cookie }, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .on('error', reject)
      .end();
    return await promise;
  };
  return { get };
}

const UP = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '%252e%252e%252f',
  '..%252f',
  '..%5c',
  '..\\',
  '%2e%2e%5c',
  '....//',
  '..;/',
  '..%00/',
  '%c0%ae%c0%ae/',
  '%u002e%u002e/',
  '.%2e/',
  './../',
  '%2f%2e%2e%2f',
];

test('no spelling of "../" leads out of the served folders', async () => {
  const { get } = await startWithSecrets();
  const paths = ['/', '/assets/', '/api/files/video/', '/api/files/thumbnail/', '/api/docs/static/'].flatMap((root) =>
    UP.flatMap((up) =>
      [1, 2, 3, 6].flatMap((times) =>
        ['secret.txt', 'package.json', 'etc/passwd'].map((file) => root + up.repeat(times) + file),
      ),
    ),
  );
  const table: Attempt[] = [];
  for (const path of paths) {
    const { status, body } = await get(path);
    const seen =
      body.includes(SECRET) || /root:|video-interview-management/.test(body)
        ? `read it (${status})`
        : refusedWith(status);
    table.push({ attempt: `GET ${path}`, expected: 'refused', seen });
  }
  expect(table.length).toBeGreaterThan(900);
  expect(surprises(table)).toEqual([]);
});

const refusedWith = (status: number) => (status === 400 || status === 404 ? 'refused' : `returned ${status}`);

const NOWHERE = [
  '/api/files/video/.secret',
  '/api/files/video/.%73ecret',
  '/api/files/video/secret.txt%00.mp4',
  '/api/files/video/%00',
  '/api/files/video/',
  '/api/files/video/.',
  '/api/files/video/con',
  '/api/files/video/a.mp4/',
  '/api/files/VIDEO/a.mp4',
  '/api/files/videos/a.mp4',
  '/api/files/partial/a.mp4',
  '/api/files/video/C:%5csecret.txt',
  '/api/files/video//etc/passwd',
  '/assets/',
  '/assets/.secret',
  '/assets/%00',
  '/index.html%00',
  '/.git/config',
  '/.env',
  '/package.json',
  '/src/server/server.ts',
  '/data/session-secret',
  '//etc/passwd',
];

test('paths that scanners try return nothing', async () => {
  const { get } = await startWithSecrets();
  const table: Attempt[] = [];
  for (const path of NOWHERE) {
    const { status, body } = await get(path);
    table.push({ attempt: path, expected: 'refused', seen: body.includes(SECRET) ? 'read it' : refusedWith(status) });
  }
  expect(surprises(table)).toEqual([]);
});
