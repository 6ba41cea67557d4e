import { beforeAll, describe, expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { ErrorBody } from '#contracts/errors.ts';
import type { Person } from './support/call.ts';
import { startApp, type TestApp } from './support/start-app.ts';

/** A valid path of an endpoint, its ids naming nothing. */
const pathOf = ({ path }: Endpoint, id = '4711') => path.replace(/:\w+/g, encodeURIComponent(id));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const guarded = API.filter((endpoint) => !endpoint.open);
const withBody = API.filter((endpoint) => endpoint.body);
const changing = API.filter((endpoint) => endpoint.method !== 'GET' || endpoint.changesState);

/** What JavaScript would read as a number, though it is no whole number in digits, and what nobody would. Percent-encoded. */
const NO_NUMBERS = ['1e1', '0x10', '0b1', '%203%20', '%2B2', '1.0', '%0A1', '%D9%A3', '', 'abc'];

/** Wrong input for every field of every endpoint, and what the answer names. */
const WRONG_QUERIES: [string, string, string][] = [
  ...[...NO_NUMBERS, '0', '-1', '1.5', '99999999999999999999'].flatMap((value): [string, string, string][] => [
    ['/api/interviews', `page=${value}`, 'page'],
    ['/api/logs', `page=${value}`, 'page'],
  ]),
  ...[...NO_NUMBERS, '0', '101', '-5'].flatMap((value): [string, string, string][] => [
    ['/api/interviews', `limit=${value}`, 'limit'],
    ['/api/logs', `limit=${value}`, 'limit'],
  ]),
  ...NO_NUMBERS.map((value): [string, string, string] => ['/api/interviews', `funnelId=${value}`, 'funnelId']),
  ['/api/interviews', 'page=1&page=2', 'page'],
  ['/api/interviews', 'status=finished', 'status'],
  ['/api/interviews', 'status=new&status=sent', 'status'],
  ['/api/interviews', 'funnelId=1&funnelId=-2', 'funnelId'],
  ['/api/interviews', 'funnelId=99999999999', 'funnelId'],
  ['/api/interviews', `clientName=${'x'.repeat(51)}`, 'clientName'],
  ['/api/interviews', 'startDate=yesterday', 'startDate'],
  ['/api/interviews', 'endDate=2026-02-30T00:00:00Z', 'endDate'],
  ['/api/interviews', `search=${'x'.repeat(201)}`, 'search'],
  ['/api/interviews', 'search=%00', 'search'],
  ['/api/interviews', 'texts=maybe', 'texts'],
  ['/api/logs', 'type=secret', 'type'],
  ['/api/logs', 'startDate=1', 'startDate'],
  ['/api/interviews/sync', 'timeframe=tomorrow', 'timeframe'],
];

const FUNNEL = { name: 'Nurses', apiKey: 'key', funnelId: 'nurses' };
const WRONG_BODIES: [string, string, unknown, string][] = [
  ['POST', '/api/login', {}, 'username'],
  ['POST', '/api/login', { username: 'admin' }, 'password'],
  ['POST', '/api/login', { username: 'admin', password: 7 }, 'password'],
  ['POST', '/api/login', { username: '  ', password: 'x' }, 'username'],
  ['POST', '/api/login', { username: 'admin', password: 'x', rememberMe: 'yes' }, 'rememberMe'],
  ['POST', '/api/login', { username: 'admin', password: 'x', code: '' }, 'code'],
  ['POST', '/api/login', { username: 'admin', password: 'x', code: 123_456 }, 'code'],
  ['POST', '/api/login', [], 'body'],
  ['POST', '/api/login/second-factor/secret', { username: 'admin' }, 'password'],
  ['POST', '/api/login/second-factor', { username: 'admin', password: 'x' }, 'code'],
  ['POST', '/api/login/second-factor', { username: 'admin', password: 'x', code: '1'.repeat(101) }, 'code'],
  ['POST', '/api/user/second-factor/secret', {}, 'currentPassword'],
  ['POST', '/api/user/second-factor', { code: ' ' }, 'code'],
  ['POST', '/api/user/second-factor/recovery-codes', { currentPassword: 'x' }, 'code'],
  ['POST', '/api/user/second-factor/off', { code: '123456' }, 'currentPassword'],
  ['POST', '/api/funnels', { ...FUNNEL, name: ' ' }, 'name'],
  ['POST', '/api/funnels', { ...FUNNEL, name: 'x'.repeat(101) }, 'name'],
  ['POST', '/api/funnels', { ...FUNNEL, name: 'a\u0000b' }, 'name'],
  ['POST', '/api/funnels', { ...FUNNEL, clientName: 'x'.repeat(51) }, 'clientName'],
  ['POST', '/api/funnels', { ...FUNNEL, apiKey: undefined }, 'apiKey'],
  ['POST', '/api/funnels', { ...FUNNEL, apiKey: 'x'.repeat(101) }, 'apiKey'],
  ['POST', '/api/funnels', { ...FUNNEL, funnelId: '' }, 'funnelId'],
  ['POST', '/api/funnels', { ...FUNNEL, directLink: `https://x/${'x'.repeat(200)}` }, 'directLink'],
  ['POST', '/api/funnels', { ...FUNNEL, directLink: 'javascript:alert(1)' }, 'directLink'],
  ['POST', '/api/funnels', { ...FUNNEL, description: 'x'.repeat(2001) }, 'description'],
  ['POST', '/api/funnels', { ...FUNNEL, skills: 'x'.repeat(201) }, 'skills'],
  ['POST', '/api/funnels', { ...FUNNEL, professionalExpectations: 'x'.repeat(501) }, 'professionalExpectations'],
  ['POST', '/api/funnels', { ...FUNNEL, skillExpectations: 'x'.repeat(501) }, 'skillExpectations'],
  ['POST', '/api/funnels', { ...FUNNEL, educationExpectations: 'x'.repeat(501) }, 'educationExpectations'],
  ['POST', '/api/funnels', { ...FUNNEL, cultureExpectations: 'x'.repeat(501) }, 'cultureExpectations'],
  ...NO_NUMBERS.filter((id) => id !== '').map((id): [string, string, unknown, string] => [
    'PUT',
    `/api/funnels/${id}`,
    FUNNEL,
    'id',
  ]),
  ['PUT', '/api/funnels/0', FUNNEL, 'id'],
  ['PUT', '/api/funnels/1', { ...FUNNEL, name: 5 }, 'name'],
  ['DELETE', '/api/funnels/99999999999', undefined, 'id'],
  ['POST', '/api/funnels/x/activate', undefined, 'id'],
  ['POST', '/api/interviews/x/update-duration', {}, 'duration'],
  ['POST', '/api/interviews/x/update-duration', { duration: '60' }, 'duration'],
  ['POST', '/api/interviews/x/update-duration', { duration: 0 }, 'duration'],
  ['POST', '/api/interviews/x/update-duration', { duration: 1.5 }, 'duration'],
  ['POST', '/api/interviews/x/update-duration', { duration: 604_801 }, 'duration'],
  ['PUT', '/api/interviews/x/transcript', { transcriptionText: '  \n ' }, 'transcriptionText'],
  ['PUT', '/api/interviews/x/transcript', { transcriptionText: 'x'.repeat(200_001) }, 'transcriptionText'],
  ['PUT', '/api/interviews/x/transcript', { transcriptionText: 'x', basedOn: 'yesterday' }, 'basedOn'],
  ['PUT', '/api/interviews/x/summary', { summaryText: '' }, 'summaryText'],
  ['PUT', '/api/interviews/x/summary', { summaryText: null }, 'summaryText'],
  ['POST', '/api/interviews/x/destination', { destinationId: 'ACME-1' }, 'destinationId'],
  ['POST', '/api/interviews/x/destination', { destinationId: 'BUB-ACME' }, 'destinationId'],
  ['POST', '/api/interviews/x/destination', { destinationId: 'BUB-ACME-1', notes: 'x'.repeat(2001) }, 'notes'],
  ['POST', `/api/interviews/${'x'.repeat(201)}/archive`, undefined, 'id'],
  ['POST', '/api/interviews/a%00b/archive', undefined, 'id'],
];

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

test('anonymous callers are refused by every endpoint that is not open', async () => {
  for (const endpoint of guarded) {
    const response = await product.anonymous().request({ method: endpoint.method, url: pathOf(endpoint) });
    expect([nameOf(endpoint), response.statusCode, ErrorBody.parse(response.json()).code]).toEqual([
      nameOf(endpoint),
      401,
      'unauthenticated',
    ]);
  }
});

test('another site’s page cannot change anything through a signed-in browser', async () => {
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

test('an id that names nothing is a 404 with a sentence', async () => {
  const bodies: Record<string, unknown> = {
    'PUT /api/funnels/:id': FUNNEL,
    'POST /api/interviews/:id/update-duration': { duration: 60 },
    'PUT /api/interviews/:id/transcript': { transcriptionText: 'Hello' },
    'PUT /api/interviews/:id/summary': { summaryText: 'Hello' },
    'POST /api/interviews/:id/destination': { destinationId: 'BUB-ACME-1' },
  };
  for (const endpoint of API.filter(({ params }) => params)) {
    const response = await recruiter.request({
      method: endpoint.method,
      url: pathOf(endpoint),
      body: bodies[nameOf(endpoint)],
    });
    expect([nameOf(endpoint), response.statusCode]).toEqual([nameOf(endpoint), 404]);
    expect(ErrorBody.parse(response.json()).message).toMatch(/no longer exists/);
  }
});

/** In our words: the field first, then what would be right. Two sentences stand in the specification. */
const OUR_WORDS = /^([a-zA-Z]+|Transcript text|Summary text) (is|must|may|cannot) /;

function expectRefusal(response: Awaited<ReturnType<Person['request']>>, field: string) {
  const { field: named, message } = ErrorBody.parse(response.json());
  expect([response.statusCode, named]).toEqual([400, field]);
  expect(message).toMatch(OUR_WORDS);
  if (!message.includes(' text cannot ')) expect(message.split(' ')[0]).toBe(field);
}

describe('bad input is a 400 that names the field', () => {
  test.for(WRONG_QUERIES)('GET %s?%s', async ([path, query, field]) => {
    const response = await recruiter.request({ method: 'GET', url: `${path}?${query}` });
    expectRefusal(response, field);
  });

  test.for(WRONG_BODIES)('%s %s %o', async ([method, url, body, field]) => {
    const response = await recruiter.request({ method: method as 'POST', url, body });
    expectRefusal(response, field);
  });

  test('a body that is no JSON, empty, of another kind or too large', async () => {
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
