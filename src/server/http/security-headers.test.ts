import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '#support/start-app.ts';

const HTTPS = { 'x-forwarded-proto': 'https' };
let product: TestApp;
let cookie: string;

beforeAll(async () => {
  const webFolder = await mkdtemp(join(tmpdir(), 'interviews-web-'));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'index.html'), '<!doctype html>');
  await writeFile(join(webFolder, 'assets/index-abc123.js'), 'true');
  let clear = async () => {};
  product = await startApp({
    jobs: false,
    webFolder,
    env: { TRUST_PROXY: 'true', ADMIN_PASSWORD: 'correct horse battery' },
    onFinished: (work) => {
      clear = work;
    },
  });
  cookie = (await product.signedIn()).cookie ?? '';
  await mkdir(join(product.dataDir, 'files/videos'), { recursive: true });
  await writeFile(join(product.dataDir, 'files/videos/a.mp4'), 'a video');
  return async () => {
    await clear();
    await rm(webFolder, { recursive: true });
  };
});

const get = (url: string, headers: Record<string, string> = {}) => product.app.inject({ url, headers });

/** `script-src 'self'; …` as a map. */
const directives = (policy: unknown) =>
  new Map(
    String(policy)
      .split('; ')
      .map((directive): [string, string] => [directive.replace(/ .*/, ''), directive.replace(/^\S+ ?/, '')]),
  );

/** The page and its assets contain no data. */
const CACHEABLE: Record<string, string> = {
  '/': 'no-cache',
  '/nowhere': 'no-cache',
  '/assets/index-abc123.js': 'public, max-age=31536000, immutable',
  '/api/docs/static/swagger-ui-bundle.js': 'public, max-age=0',
};

describe('every response', () => {
  test.each([
    ['a screen', 200, '/'],
    ['an unknown page', 404, '/nowhere'],
    ['an asset', 200, '/assets/index-abc123.js'],
    ['an unknown asset', 404, '/assets/none.js'],
    ['a call', 200, '/api/user'],
    ['a call with bad input', 400, '/api/interviews?page=0'],
    ['an unknown call', 404, '/api/none'],
    ['an invalid address', 400, '/%E0%A4%A'],
    ['a call with an invalid address', 400, '/api/interviews/%E0%A4%A'],
    ['the API documentation', 200, '/api/docs'],
    ['its description', 200, '/api/docs/json'],
    ['its program', 200, '/api/docs/static/swagger-ui-bundle.js'],
    ['an unknown part of it', 404, '/api/docs/none'],
    ['a file', 200, '/api/files/video/a.mp4'],
    ['an unknown file', 404, '/api/files/video/none.mp4'],
    ['the live socket without an upgrade', 403, '/ws'],
    ['the health', 200, '/healthz'],
  ])(
    '%s (%i) cannot be framed, sniffed, stored or read by other sites, and runs nothing inline',
    async (_, status, url) => {
      const { statusCode, headers } = await get(url, { cookie });
      expect(statusCode).toBe(status);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': CACHEABLE[url] ?? 'no-store',
        'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\).*microphone=\(\)/),
      });
      const policy = directives(headers['content-security-policy']);
      expect(policy.get('default-src')).toBe("'none'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      expect(policy.get('script-src') ?? "'self'").toBe("'self'");
      expect(policy.get('style-src') ?? '').not.toContain(url.startsWith('/api/files/video/a') ? 'script' : 'unsafe');
      expect(policy.has('script-src-attr')).toBe(false);
    },
  );

  test.each(['/', '/api/user', '/api/files/video/a.mp4', '/api/docs'])(
    'a refusal at %s has the security headers',
    async (url) => {
      const { headers } = await get(url, { origin: 'https://evil.example' });
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    },
  );
});

describe('the policy', () => {
  test('the policy of a page lets a string become markup only where the markup stays inert', async () => {
    const policy = directives((await get('/')).headers['content-security-policy']);
    expect(policy.get('require-trusted-types-for')).toBe("'script'");
    expect(policy.get('trusted-types')).toBe('inert-markup');
    expect(policy.get('connect-src')).toBe("'self'");
  });

  test('the policy of a stored file is a sandbox, also for a 304', async () => {
    const whole = await get('/api/files/video/a.mp4', { cookie });
    const known = await get('/api/files/video/a.mp4', { cookie, 'if-none-match': String(whole.headers.etag) });
    expect(known.statusCode).toBe(304);
    for (const { headers } of [whole, known]) expect(headers['content-security-policy']).toMatch(/; sandbox$/);
  });

  test('the policy of all other responses allows nothing', async () => {
    const { headers } = await get('/api/user', { cookie });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });
});

describe('HTTPS', () => {
  test('HTTPS is required for a year after a response over HTTPS, even after a refusal', async () => {
    for (const url of ['/', '/api/user', '/nowhere', '/api/docs']) {
      const { headers } = await get(url, HTTPS);
      expect([url, headers['strict-transport-security']]).toEqual([url, 'max-age=31536000; includeSubDomains']);
    }
  });

  test('HTTPS is not required after a response over HTTP, nor because of a forwarded header without a proxy', async () => {
    expect((await get('/')).headers).not.toHaveProperty('strict-transport-security');
    const bare = await startApp({ jobs: false });
    const { headers } = await bare.app.inject({ url: '/healthz', headers: HTTPS });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});

test('the API documentation names the product and groups its calls', async () => {
  const { paths } = (await get('/api/docs/json', { cookie })).json();
  const groups = new Set(
    Object.values<object>(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)),
  );
  expect([...groups].sort()).toEqual([
    'API tokens',
    'Accounts',
    'Funnels',
    'Interviews',
    'Links',
    'Notifications',
    'Other',
    'Processing',
    'Refresh',
    'Reviews',
    'Session',
    'Setup',
    'System Logs',
    'Uploads',
    'Webhooks',
  ]);
  expect((await get('/api/docs', { cookie })).body).toContain('<title>Video Interview Management</title>');
});

test('the API documentation explains tokens, and names the scope of each call', async () => {
  const { info, paths } = (await get('/api/docs/json', { cookie })).json();
  expect(info.description).toContain('Authorization: Bearer vim_');
  expect(paths['/api/interviews'].get.description).toBe('API tokens need the scope `read`.');
  expect(paths['/api/bulk'].post.description).toBe('API tokens need the scope `process`.');
  expect(paths['/api/tokens'].post.description).toBe('API tokens cannot be used for this call.');
  expect(paths['/api/login'].post.description).toBeUndefined();
});

test('an invalid URL is rejected without repeating it', async () => {
  const response = await get('/%E0%A4%A<script>');
  expect(response.json()).toEqual({
    message: 'Invalid address.',
    code: 'invalid_input',
    requestId: expect.any(String),
  });
});
