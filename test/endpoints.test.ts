import { beforeAll, describe, expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { ErrorBody } from '#contracts/errors.ts';
import { RESERVED_IDS } from '#contracts/fields.ts';
import type { Person } from './support/call.ts';
import { fieldNames } from './support/field-names.ts';
import { startApp, type TestApp } from './support/start-app.ts';
import { COMMENT, CRITERION, FUNNEL, OUTGOING_WEBHOOK, REVIEW, WRONG_BODIES } from './support/wrong-bodies.ts';
import { WRONG_IDS, WRONG_QUERIES } from './support/wrong-urls.ts';

/** A valid path whose ids do not exist. */
const pathOf = ({ path }: Endpoint, id = '4711') => path.replace(/:\w+/g, encodeURIComponent(id));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const guarded = API.filter(({ role }) => role !== 'open');
const withBody = API.filter((endpoint) => endpoint.body);
const changing = API.filter((endpoint) => endpoint.method !== 'GET' || endpoint.changesState);

/** Valid bodies of the endpoints with an id. */
const RIGHT_BODIES: Record<string, unknown> = {
  'PUT /api/funnels/:id': FUNNEL,
  'POST /api/interviews/:id/update-duration': { duration: 60 },
  'PUT /api/interviews/:id/transcript': { transcriptionText: 'Hello' },
  'PUT /api/interviews/:id/summary': { summaryText: 'Hello' },
  'POST /api/interviews/:id/answers': { position: 0, startSeconds: 1 },
  'PUT /api/funnels/:id/webhook/signing-secret': { signingSecret: 'whsec' },
  'PUT /api/accounts/:id': { email: 'ann@example.com' },
  'POST /api/invitations/:token': { newPassword: 'correct horse battery' },
  'PUT /api/funnels/:id/scorecard': { criteria: [CRITERION] },
  'PUT /api/interviews/:id/review': REVIEW,
  'POST /api/interviews/:id/comments': COMMENT,
  'PUT /api/comments/:id': COMMENT,
  'PUT /api/saved-views/:id': { name: 'New nurses' },
  'PUT /api/webhooks/:id': { ...OUTGOING_WEBHOOK, isActive: true },
  'PUT /api/shares/:id': { revoked: true },
  'POST /s/:token/open': {},
  'POST /s/:token/watched': { n: 1, ranges: [[0, 5]] },
  'PUT /s/:token/verdict': { n: 1, verdict: 'yes' },
  'POST /s/:token/comments': { n: 1, atSeconds: 1, body: 'Hello' },
  'POST /api/interviews/:id/ats': { candidateId: '1001' },
  'POST /api/interviews/:id/destination': { destinationId: 'BUB-ACME-1' },
};

/** Lists every input field, for example `GET /api/logs query page`. */
const fieldsOf = (endpoint: Endpoint) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    fieldNames(endpoint[part]).map((field) => `${nameOf(endpoint)} ${part} ${field}`),
  );

let product: TestApp;
let recruiter: Person;
beforeAll(async () => {
  let clear = async () => {};
  product = await startApp({
    jobs: false,
    onFinished: (work) => {
      clear = work;
    },
  });
  recruiter = await product.signedIn();
  return () => clear();
});

test('every endpoint of the contracts is served', () => {
  const missing = API.filter(({ method, path }) => !product.app.hasRoute({ method, url: path }));
  expect(missing.map(nameOf)).toEqual([]);
});

test('no interview may have an id that is a fixed segment of a path', () => {
  const withId = new Set(API.flatMap(({ path }) => /^(.+)\/:id\b/.exec(path)?.[1] ?? []));
  const fixed = API.flatMap(({ path }) => [...withId].flatMap((root) => fixedSegmentBelow(root, path)));
  expect([...new Set(fixed)].toSorted()).toEqual(RESERVED_IDS);
});

function fixedSegmentBelow(root: string, path: string): string[] {
  const [segment = ''] = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : [];
  return segment === '' || segment.startsWith(':') ? [] : [segment];
}

test('every endpoint that is not open rejects anonymous callers', async () => {
  for (const endpoint of guarded) {
    const response = await product.anonymous().request({ method: endpoint.method, url: pathOf(endpoint) });
    expect([nameOf(endpoint), response.statusCode, ErrorBody.parse(response.json()).code]).toEqual([
      nameOf(endpoint),
      401,
      'unauthenticated',
    ]);
  }
});

/**
 * For sign-in, for monitors, for webhooks, whose secret is in the path, and for the provider of
 * single sign-on, whose token is signed.
 */
const OPEN_ROUTES = [
  'GET /api/login/oidc',
  'GET /api/login/oidc/callback',
  'POST /api/login/oidc/back-channel',
  'GET /healthz',
  'GET /livez',
  'GET /metrics',
  'GET /readyz',
  'POST /hooks/:source/:secret',
  'GET /s/:token',
  'GET /s/:token/captions/:n',
  'GET /s/:token/thumbnail/:n',
  'GET /s/:token/video/:n',
  ...API.filter(({ role }) => role === 'open').map(nameOf),
];

test('every route that is not listed as open, in the contracts or here, rejects anonymous callers', async () => {
  const routes = product.app.declaredRoutes.flatMap(({ method, url, config }) =>
    [method].flat().map((name) => ({ method: name as 'GET', url, role: config?.role })),
  );
  const open = routes.filter(({ role }) => role === 'open').map(({ method, url }) => `${method} ${url}`);
  expect([...new Set(open)].filter((name) => !name.startsWith('HEAD ')).toSorted()).toEqual(OPEN_ROUTES.toSorted());
  for (const { method, url } of routes.filter(({ role }) => role !== 'open')) {
    const response = await product.anonymous().request({ method, url: url.replaceAll(/:\w+/g, '4711') });
    expect([method, url, response.statusCode]).toEqual([method, url, 401]);
  }
});

test('a page of another site cannot change anything through a signed-in browser', async () => {
  for (const endpoint of changing) {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-purpose': 'prefetch;prerender' },
    ]) {
      const response = await recruiter.request({
        method: endpoint.method,
        url: pathOf(endpoint),
        body: endpoint.body && {},
        headers,
      });
      expect([nameOf(endpoint), headers, response.statusCode]).toEqual([nameOf(endpoint), headers, 403]);
    }
  }
});

test('an unknown id is a 404 with a message', async () => {
  for (const endpoint of API.filter(({ params }) => params)) {
    const response = await recruiter.request({
      method: endpoint.method,
      url: pathOf(endpoint),
      body: RIGHT_BODIES[nameOf(endpoint)],
    });
    expect([nameOf(endpoint), response.statusCode]).toEqual([nameOf(endpoint), 404]);
    expect(ErrorBody.parse(response.json()).message).toMatch(/no longer exists/);
  }
});

/** The field, then the rule. Two messages are fixed by the specification. */
const VALIDATION_MESSAGE = /^([a-zA-Z.[\]\d]+|Transcript text|Summary text) (is|must|may|cannot|contains) /;

function expectRefusal(response: Awaited<ReturnType<Person['request']>>, field: string) {
  const { field: named, message } = ErrorBody.parse(response.json());
  expect([response.statusCode, named]).toEqual([400, field]);
  expect(message).toMatch(VALIDATION_MESSAGE);
  expect(message).not.toMatch(/\bat \/|\.ts:|Error:/);
  if (!message.includes(' text cannot ')) expect(message.split(' ')[0]).toBe(field);
}

describe('invalid input is a 400 that names the field', () => {
  test('every field of every endpoint is covered', () => {
    const tried = new Set([
      ...WRONG_IDS.map(([method, path, _id, name]) => `${method} ${path} params ${name}`),
      ...WRONG_QUERIES.map(([path, _query, field]) => `GET ${path} query ${field}`),
      ...WRONG_BODIES.map(([method, path, _body, field]) => `${method} ${path} body ${field}`),
    ]);
    const fields = API.flatMap(fieldsOf);
    expect(fields).toContain('PUT /api/funnels/:id body clientName');
    expect(fields.filter((field) => !tried.has(field))).toEqual([]);
  });

  test.for(WRONG_IDS)('%s %s with the id %s', async ([method, path, id, name]) => {
    const body = RIGHT_BODIES[`${method} ${path}`];
    const url = path.replace(`:${name}`, id).replace(/:\w+/, '4711');
    expectRefusal(await recruiter.request({ method, url, body }), name);
  });

  test.for(WRONG_QUERIES)('GET %s?%s', async ([path, query, field]) => {
    expectRefusal(await recruiter.request({ method: 'GET', url: `${path}?${query}` }), field);
  });

  test.for(WRONG_BODIES)('%s %s %o', async ([method, path, body, field]) => {
    const url = path.replace(/:\w+/, '4711');
    expectRefusal(await recruiter.request({ method: method as 'POST', url, body }), field);
  });

  test('a body that is empty, too large or not JSON', async () => {
    for (const endpoint of withBody) {
      const url = pathOf(endpoint);
      const send = (payload: string | Buffer, type = 'application/json') =>
        product.app.inject({
          method: endpoint.method,
          url,
          payload,
          headers: { 'content-type': type, ...(recruiter.cookie && { cookie: recruiter.cookie }) },
        });
      expect([nameOf(endpoint), (await send('{"name": ')).statusCode]).toEqual([nameOf(endpoint), 400]);
      expect([nameOf(endpoint), (await send('')).statusCode]).toEqual([nameOf(endpoint), 400]);
      expect([nameOf(endpoint), (await send('<a/>', 'text/xml')).statusCode]).toEqual([nameOf(endpoint), 415]);
      expect([nameOf(endpoint), (await send(`"${'x'.repeat(3_000_000)}"`)).statusCode]).toEqual([
        nameOf(endpoint),
        413,
      ]);
      expect([nameOf(endpoint), (await send('{"__proto__": {"admin": true}}')).statusCode]).toEqual([
        nameOf(endpoint),
        400,
      ]);
    }
  });
});

test('an unknown /api path is a JSON 404', async () => {
  for (const url of ['/api', '/api/unknown', '/api/interviews/a/b/c', '/api/../secret']) {
    const response = await recruiter.request({ method: 'GET', url });
    expect([url, response.statusCode, response.headers['content-type']]).toEqual([
      url,
      404,
      'application/json; charset=utf-8',
    ]);
  }
});
