import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/start-app.ts';
import { SCREENS } from './web-app.ts';

const PAGE = '<!doctype html><title>Video Interview Management</title>';
const SCRIPT = 'console.log("hello");'.repeat(100);

async function withBuiltPages() {
  const webFolder = await mkdtemp(join(tmpdir(), 'interviews-web-'));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'index.html'), PAGE);
  await writeFile(join(webFolder, 'assets/index-abc123.js'), SCRIPT);
  await writeFile(join(webFolder, 'assets/index-abc123.js.br'), brotliCompressSync(SCRIPT));
  const { app, ...product } = await startApp({ jobs: false, webFolder });
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
  return { get, product, clear: () => rm(webFolder, { recursive: true }) };
}

describe('the built application', () => {
  test('the built application serves the page for every screen, and as a 404 for other paths', async () => {
    const { get, clear } = await withBuiltPages();
    for (const screen of SCREENS) expect([screen, (await get(`${screen}?page=2`)).statusCode]).toEqual([screen, 200]);
    for (const url of ['/nothing', '/funnels/7', '/index.html', '/apiary']) {
      const { statusCode, body } = await get(url);
      expect([url, statusCode, body]).toEqual([url, 404, PAGE]);
    }
    await clear();
  });

  test('an unknown asset or API path is a JSON 404', async () => {
    const { get, clear } = await withBuiltPages();
    for (const url of ['/assets/none.js', '/api', '/api/none', '/api/files/video/../../x']) {
      const { statusCode, headers } = await get(url);
      expect([url, [401, 404].includes(statusCode), headers['content-type']]).toEqual([
        url,
        true,
        'application/json; charset=utf-8',
      ]);
    }
    await clear();
  });

  test('assets are cacheable for a year and precompressed', async () => {
    const { get, clear } = await withBuiltPages();
    const plain = await get('/assets/index-abc123.js');
    expect([plain.body, plain.headers['cache-control']]).toEqual([SCRIPT, 'public, max-age=31536000, immutable']);
    const small = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip, br' });
    expect([small.headers['content-encoding'], small.rawPayload.length < SCRIPT.length]).toEqual(['br', true]);
    await clear();
  });

  test('pages have a policy without inline scripts and framing', async () => {
    const { get, clear } = await withBuiltPages();
    const { headers } = await get('/');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    await clear();
  });

  test('the API documentation needs a session, the health check does not', async () => {
    const { get, product, clear } = await withBuiltPages();
    expect((await get('/api/docs')).statusCode).toBe(401);
    expect((await get('/api/docs/json')).statusCode).toBe(401);
    const { cookie = '' } = await product.signedIn();
    const description = await get('/api/docs/json', { cookie });
    const { paths } = description.json();
    expect(Object.keys(paths)).toContain('/api/interviews/{id}/video');
    expect(paths['/api/interviews'].get.parameters).toContainEqual({
      in: 'query',
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    });
    expect((await get('/api/docs/static/swagger-ui.css', { cookie })).statusCode).toBe(200);
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
    await clear();
  });
});
