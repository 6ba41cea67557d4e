import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { API } from '#contracts/api.ts';
import { createFunnel, deleteFunnel, listFunnels } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import type { Person } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';

const SQL = [
  // Each third of the list has one that changes data, and one that reads or delays.
  "'; DROP TABLE interview; --",
  '"; DELETE FROM session; --',
  "\\'; DROP TABLE account; --",
  "'; SELECT pg_sleep(20); --",
  '1; SELECT pg_sleep(20)',
  "1' UNION SELECT username, password_hash FROM account --",
  "' OR '1'='1",
  "' OR 1=1 --",
  "') OR ('a'='a",
  '1 OR 1=1',
  '$1',
  '$$; DROP TABLE session; $$',
  'x%27%20OR%201=1',
  "E'\\x27'",
  'ANY(SELECT id FROM interview)',
];

/** The product with three interviews of one funnel. */
async function withInterviews(onFinished?: (clear: () => Promise<void>) => void) {
  const product = await startApp({ jobs: false, ...(onFinished && { onFinished }) });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.activeFunnel(recruiter);
  await insertInterviews(
    product.db,
    ['a', 'b', 'c'].map((id) => ({ id, funnelId })),
  );
  const rows = async () => {
    const { total } = await recruiter.call(listInterviews, { query: {} });
    return { total, funnels: (await recruiter.call(listFunnels, {})).length };
  };
  return { product, recruiter, funnelId, rows };
}

const cleanup = new AsyncDisposableStack();
/** For tests that change nothing. */
let shared: Awaited<ReturnType<typeof withInterviews>>;
beforeAll(async () => {
  shared = await withInterviews((clear) => cleanup.defer(clear));
});
afterAll(() => cleanup.disposeAsync());

const namesOf = (schema: unknown): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

/** Every payload in every parameter of every endpoint. */
const injections = () =>
  API.flatMap(({ method, path, query, params }) =>
    SQL.flatMap((sql) => {
      const value = encodeURIComponent(sql);
      const queries = namesOf(query).map((name) => `${path.replace(/:\w+/g, 'a')}?${name}=${value}`);
      return [...queries, ...(params ? [path.replace(/:\w+/g, value)] : [])].map((url) => ({ method, url }));
    }),
  );

/** Accepted values of fields that do not accept any text. */
const VALID: Record<string, unknown> = {
  username: 'admin',
  code: '123456',
  rememberMe: false,
  directLink: 'https://example.com',
  duration: 60,
  destinationId: 'BUB-1-2',
  basedOn: undefined,
  // Sent instead of `summaryText`, not with it.
  structure: undefined,
  processAutomatically: false,
  source: 'rest',
  refreshMinutes: null,
  newInterviews: undefined,
  dailyLimit: null,
};
/** Fields that accept the payload as a part of their value. */
const AROUND: Record<string, string> = { directLink: 'https://example.com/?', destinationId: 'BUB-1-' };

/** A third of the payloads in every field of every body, in turn, next to accepted values. */
function bodyInjections(funnelId: number) {
  let turn = 0;
  return API.flatMap(({ method, path, body }) => {
    const url = path.replace(':id', path.startsWith('/api/funnels') ? String(funnelId) : 'a');
    const accepted = Object.fromEntries(namesOf(body).map((name) => [name, name in VALID ? VALID[name] : 'some text']));
    return namesOf(body).flatMap((name) => {
      turn += 1;
      return SQL.filter((_, at) => (at + turn) % 3 === 0).map((sql) => ({
        method,
        url,
        body: { ...accepted, [name]: `${AROUND[name] ?? ''}${sql}` },
      }));
    });
  });
}

function foundBy({ statusCode, body }: { statusCode: number; body: string }): string {
  if (statusCode >= 500) return 'an error';
  const ours = SQL.reduce((text, sql) => text.replaceAll(sql, ''), body);
  if (/argon2|syntax error|SELECT/.test(ours)) return 'text of the database';
  return statusCode === 200 && (JSON.parse(body).total ?? 0) > 0 ? 'interviews' : 'nothing';
}

type RawRequest = Parameters<Person['request']>[0];

async function attempt(person: Person, requests: readonly RawRequest[]): Promise<Attempt[]> {
  const table: Attempt[] = [];
  for (const request of requests) {
    const began = performance.now();
    const response = await person.request(request);
    const seen = performance.now() - began > 10_000 ? 'slow' : foundBy(response);
    const { method, url, body = '' } = request;
    table.push({ attempt: `${method} ${url} ${JSON.stringify(body)}`, expected: 'nothing', seen });
  }
  return table;
}

/** For hundreds of requests on a busy machine. */
const LONG = { timeout: 120_000 };

describe('SQL', () => {
  test(
    'SQL in any parameter of any endpoint finds nothing more, changes nothing and delays nothing',
    LONG,
    async () => {
      const { recruiter, rows } = shared;
      const before = await rows();
      const table = await attempt(recruiter, injections());
      expect(table.length).toBeGreaterThan(300);
      expect(surprises(table)).toEqual([]);
      expect(await rows()).toEqual(before);
    },
  );

  test(
    'SQL in any field of any body is stored as text or refused, changes nothing else and delays nothing',
    LONG,
    async () => {
      const { product, recruiter, funnelId, rows } = await withInterviews();
      const accounts = () => product.db.selectFrom('account').selectAll().execute();
      const before = [await rows(), await accounts()];
      const requests = bodyInjections(funnelId);
      const table = await attempt(recruiter, requests);
      expect(table.length).toBeGreaterThan(300);
      expect(surprises(table)).toEqual([]);
      const funnels = await recruiter.call(listFunnels, {});
      const stored = funnels.map(({ name }) => name).filter((name) => SQL.includes(name));
      const created = requests.flatMap(({ method, url, body: { name } }) =>
        method === createFunnel.method && url === createFunnel.path && SQL.includes(String(name)) ? [name] : [],
      );
      expect(created).toHaveLength(SQL.length / 3);
      expect(stored.toSorted()).toEqual(created.toSorted());
      for (const { id } of funnels) if (id !== funnelId) await recruiter.call(deleteFunnel, { params: { id } });
      expect([await rows(), await accounts()]).toEqual(before);
    },
  );

  test.each(['%', '_', '%%', 'Interview _', '\\', '*', '.*', ':*', '|', '!'])(
    'a search for %s looks for these characters, not for a pattern',
    async (search) => {
      const { recruiter } = shared;
      expect((await recruiter.call(listInterviews, { query: { search } })).total).toBe(0);
    },
  );
});

describe('a request body', () => {
  const HOSTILE = [
    '{"__proto__": {"polluted": true}}',
    '{"a": {"__proto__": {"polluted": true}}}',
    '{"constructor": {"prototype": {"polluted": true}}}',
    '{"name": {"__proto__": {"polluted": true}}, "username": {"constructor": {"prototype": {"polluted": true}}}}',
    '[{"__proto__": {"polluted": true}}]',
    '{"\\u005f\\u005fproto\\u005f\\u005f": {"polluted": true}}',
  ];

  test('every endpoint rejects a request body that names a prototype, and nothing is polluted', async () => {
    const { product, recruiter } = shared;
    const table: Attempt[] = [];
    for (const { method, path } of API.filter(({ body }) => body)) {
      for (const payload of HOSTILE) {
        const response = await product.app.inject({
          method,
          url: path.replace(/:\w+/g, '1'),
          payload,
          headers: { 'content-type': 'application/json', cookie: recruiter.cookie ?? '' },
        });
        const seen = 'polluted' in {} ? 'polluted' : `${response.statusCode}`;
        table.push({ attempt: `${method} ${path} ${payload}`, expected: '400', seen });
      }
    }
    expect(table.length).toBeGreaterThan(30);
    expect(surprises(table)).toEqual([]);
  });

  test('a request body or a query that names a prototype pollutes nothing', async () => {
    const { recruiter } = shared;
    for (const query of [
      '__proto__[polluted]=1',
      '__proto__.polluted=1',
      'constructor[prototype][polluted]=1',
      '__proto__=1',
    ]) {
      expect((await recruiter.request({ method: 'GET', url: `/api/interviews?${query}` })).json().total).toBe(3);
      expect('polluted' in {}).toBe(false);
    }
  });

  test('a request body sets no field that the endpoint does not define', async () => {
    const { product, recruiter } = await withInterviews();
    const body = {
      name: 'Nurses',
      apiKey: 'key',
      funnelId: 'nurses',
      id: 4711,
      isActive: true,
      createdAt: '2001-01-01T00:00:00Z',
    };
    const made = await recruiter.call(createFunnel, { body });
    expect([made.id === 4711, made.isActive, made.createdAt.startsWith('2001')]).toEqual([false, false, false]);

    const login = { username: 'admin', password: 'admin123', id: 4711, accountId: 4711, role: 'owner' };
    const response = await product.anonymous().request({ method: 'POST', url: '/api/login', body: login });
    expect(Object.keys(response.json()).toSorted()).toEqual(['allFunnels', 'funnelIds', 'id', 'role', 'username']);
    expect([response.json().id === 4711, response.json().role]).toEqual([false, 'administrator']);
  });

  test('a deep, wide or long request body is rejected without delay', async () => {
    const { product, recruiter } = shared;
    const send = async (payload: string) => {
      const began = performance.now();
      const headers = { 'content-type': 'application/json', cookie: recruiter.cookie ?? '' };
      const { statusCode } = await product.app.inject({ method: 'POST', url: '/api/funnels', payload, headers });
      return performance.now() - began < 10_000 ? statusCode : 'slow';
    };
    expect(await send('['.repeat(500_000))).toBe(400);
    expect(await send(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)).toBe(400);
    expect(await send(`{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join()}}`)).toBe(400);
    expect(await send(`{"name":"${'x'.repeat(2_000_000)}"}`)).toBe(400);
    expect(await send(`{"name":"${'x'.repeat(2_200_000)}"}`)).toBe(413);
  });
});

describe('markup', () => {
  const SCRIPT = '<script>window.attacked = 1</script><img src=x onerror="window.attacked = 1">';

  test('markup is stored as written and only returned as JSON, which browsers neither sniff nor run', async () => {
    const { product, recruiter } = await withInterviews();
    await recruiter.call(createFunnel, { body: { name: SCRIPT.slice(0, 100), apiKey: 'key', funnelId: 'x' } });
    await product.db
      .updateTable('interview')
      .set({ title: SCRIPT, candidate_name: SCRIPT, description: SCRIPT })
      .execute();
    for (const url of [
      '/api/funnels',
      '/api/interviews',
      '/api/interviews/a',
      '/api/interviews/a/video',
      '/api/logs',
    ]) {
      const { headers, body } = await recruiter.request({ method: 'GET', url });
      expect([url, headers['content-type'], headers['x-content-type-options']]).toEqual([
        url,
        'application/json; charset=utf-8',
        'nosniff',
      ]);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
      if (url !== '/api/logs') expect(body).toContain('<script>');
    }
  });

  test('markup in a URL is returned neither as a page nor in a message', async () => {
    const { recruiter } = shared;
    const script = encodeURIComponent(SCRIPT);
    for (const url of [
      `/${script}`,
      `/api/${script}`,
      `/api/interviews/${script}`,
      `/api/interviews?page=${script}`,
      `/assets/${script}`,
    ]) {
      const { headers, body } = await recruiter.request({ method: 'GET', url });
      expect([url, headers['content-type']]).toEqual([url, 'application/json; charset=utf-8']);
      expect(body).not.toContain('<script>');
    }
  });
});

describe('a header', () => {
  test.each([
    ['/api/files/video/a.mp4%0d%0aset-cookie:%20session=planted', 404],
    ['/%0d%0alocation:%20https://evil.example', 404],
    ['/assets/%0d%0ax-planted:%201', 404],
    ['/api/docs/%0d%0ax-planted:%201', 404],
    ['/api/docs/static/..%2f%0d%0ax-planted:%201', 404],
    ['//evil.example/%2e%2e', 404],
    ['/api/docs//evil.example', 404],
  ])('a header is not added by %s, which does not redirect either', async (url, status) => {
    const { recruiter } = shared;
    const { statusCode, headers } = await recruiter.request({ method: 'GET', url });
    expect(statusCode).toBe(status);
    for (const name of ['set-cookie', 'location', 'x-planted']) expect(headers).not.toHaveProperty(name);
  });

  test('a header for nginx names only files of the store', async () => {
    const product = await startApp({ jobs: false, env: { X_ACCEL_PREFIX: '/protected/' } });
    const recruiter = await product.signedIn();
    for (const name of [
      '..%2f..%2fsession-secret',
      '%2e%2e',
      'a%0d%0ax-accel-redirect:%20/protected/x',
      '.hidden',
      'a%2fb',
    ]) {
      const { statusCode, headers } = await recruiter.request({ method: 'GET', url: `/api/files/video/${name}` });
      expect([name, statusCode, headers['x-accel-redirect']]).toEqual([name, 404, undefined]);
    }
  });

  test.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    '%s does not override the method',
    async (name) => {
      const { recruiter, rows } = shared;
      const [funnel] = await recruiter.call(listFunnels, {});
      const before = await rows();
      for (const method of ['GET', 'POST'] as const) {
        const url = `/api/funnels/${funnel?.id}?_method=DELETE`;
        const { statusCode } = await recruiter.request({ method, url, headers: { [name]: 'DELETE' } });
        expect(statusCode).toBe(404);
      }
      expect(await rows()).toEqual(before);
    },
  );
});
