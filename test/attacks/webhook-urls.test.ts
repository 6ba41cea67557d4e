import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { createApiToken } from '#contracts/api-tokens.ts';
import { archiveInterview } from '#contracts/interviews.ts';
import {
  createOutgoingWebhook,
  listWebhookDeliveries,
  type NewOutgoingWebhook,
  testOutgoingWebhook,
} from '#contracts/outgoing-webhooks.ts';
import { SCOPES } from '#contracts/rules/roles.ts';
import { isPrivate } from '#server/adapters/outside-http/private-addresses.ts';
import type { Person } from '../support/call.ts';
import { insertCandidates } from '../support/sharing.ts';
import { startApp } from '../support/start-app.ts';
import { startSandbox } from '../support/start-sandbox.ts';
import { until } from '../support/until.ts';

const form = (url: string): NewOutgoingWebhook => ({
  ...{ url, events: ['interview.archived'], format: 'json', includePersonalData: false },
});

const create = (admin: Person, url: string) => admin.call(createOutgoingWebhook, { body: form(url) });

/** Resolves with the newest delivery after its first attempt. */
const attempted = (admin: Person, id: number) =>
  until('an attempt is made', async () => {
    const [delivery] = await admin.call(listWebhookDeliveries, { params: { id } });
    return delivery && delivery.attempts > 0 ? delivery : null;
  });

/** A service of this machine that must not be reached. */
async function startInternalService() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('secret of the internal service');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { requests, port: (server.address() as AddressInfo).port };
}

/** Other notations of private addresses, names of private networks, other schemes, and no TLS. */
const REFUSED = [
  'https://127.0.0.1:5000/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.0.0.8/',
  'https://localhost/',
  'https://localhost./',
  'https://printer.local/',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'http://example.com/',
];

test('URLs in private networks, of other schemes and without TLS are rejected', async () => {
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  for (const url of REFUSED) {
    const response = await admin.request({ method: 'POST', url: '/api/webhooks', body: form(url) });
    expect([url, response.statusCode, response.json().field]).toEqual([url, 400, 'url']);
  }
});

test('a name that resolves to a private address is rejected when it is entered', async ({ skip }) => {
  const name = hostname();
  const found = await lookup(name, { all: true }).catch(() => []);
  skip(found.length === 0 || !found.every(({ address }) => isPrivate(address)), 'the host name is not private');
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  await expect(create(admin, `https://${name}/`)).rejects.toThrow('url must not be in a private network');
});

test('a stored URL that has become private is not called', async () => {
  const service = await startInternalService();
  const first = await startApp({ env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  const { id } = await create(await first.signedIn(), `http://127.0.0.1:${service.port}/`);
  await first.stop();
  const { database, dataDir } = first;
  const second = await startApp({ database, dataDir });
  const admin = await second.signedIn();
  await admin.call(testOutgoingWebhook, { params: { id } });
  expect(await attempted(admin, id)).toMatchObject({
    state: 'failed',
    error: 'The address is in a private network. An admin can allow it with ALLOW_PRIVATE_HOSTS.',
  });
  expect(service.requests).toEqual([]);
});

test('a redirect to a private address is not followed', async () => {
  const [sandbox, service] = [await startSandbox(), await startInternalService()];
  const product = await startApp({ env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  const admin = await product.signedIn();
  const { id } = await create(admin, `${sandbox.receiverUrl}/crm`);
  for (const status of [301, 302, 303, 307, 308])
    sandbox.control.fail({
      ...{ kind: 'status', status, on: 'receiver', times: 1 },
      location: `http://127.0.0.1:${service.port}/`,
    });
  for (let n = 0; n < 5; n += 1) await admin.call(testOutgoingWebhook, { params: { id } });
  await until('all tests fail', async () => {
    const all = await admin.call(listWebhookDeliveries, { params: { id } });
    return all.every(({ state }) => state === 'failed') && all.length === 5 ? all : null;
  });
  expect(service.requests).toEqual([]);
  expect(sandbox.control.events()).toEqual([]);
});

test('a token with every scope reaches no webhook', async () => {
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  const { id } = await create(admin, 'https://203.0.114.1/');
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { token } = await admin.call(createApiToken, { body: { name: 'All', scopes: [...SCOPES], expiresAt } });
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['PUT', `/${id}`],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/test`],
    ['POST', `/${id}/secret`],
    ['GET', `/${id}/deliveries`],
    ['POST', `/${id}/deliveries/1/retry`],
  ] as const) {
    const response = await product.app.inject({
      ...{ method, url: `/api/webhooks${path}`, headers: { authorization: `Bearer ${token}` } },
      ...(method !== 'GET' && { payload: form('https://203.0.114.2/') }),
    });
    expect([method, path, response.statusCode]).toEqual([method, path, 403]);
  }
});

test('a response that echoes the request is shown without the secret', async () => {
  const sandbox = await startSandbox();
  const product = await startApp({ env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  const admin = await product.signedIn();
  const funnelId = await product.build.funnel(admin);
  await insertCandidates(product, funnelId);
  const { id, secret } = await create(admin, `${sandbox.receiverUrl}/crm`);
  sandbox.control.fail({ kind: 'status', status: 500, repeatsHeaders: true, on: 'receiver' });
  await admin.call(archiveInterview, { params: { id: 'dana' } });
  const delivery = await attempted(admin, id);
  expect(JSON.stringify(delivery)).not.toContain(secret.slice('whsec_'.length));
});
