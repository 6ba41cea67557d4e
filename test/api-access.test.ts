import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import type { Access } from '#contracts/endpoint.ts';
import { hasRole, ROLES, type Role } from '#contracts/rules/roles.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { METRICS_TOKEN, needsOf, REFUSALS, type RouteName, requestTo } from './support/access-requests.ts';
import { type AccessStage, type AccessWorld, openAccessWorld, type WorldOptions } from './support/access-world.ts';
import type { RawRequest } from './support/call.ts';
import { FUNNEL } from './support/refreshing.ts';
import { startApp } from './support/start-app.ts';
import { startSandbox } from './support/start-sandbox.ts';

/**
 * The response for data of a funnel that the account does not see:
 * - `404`: the same response as for data that does not exist
 * - `left out`: the same response as if the funnel did not exist
 * - `403`: only accounts that see all funnels may call
 * - `n/a`: the route is not about funnels
 */
type Hidden = '404' | 'left out' | '403' | 'n/a';

/** The decision about every route: the least role, and what belongs to hidden funnels. */
const DECISIONS: Record<RouteName, [role: Access['role'], hidden: Hidden]> = {
  // Session
  'GET /api/login/hint': ['open', 'n/a'],
  'POST /api/login': ['open', 'n/a'],
  'POST /api/login/password': ['open', 'n/a'],
  'POST /api/login/second-factor/secret': ['open', 'n/a'],
  'POST /api/login/second-factor': ['open', 'n/a'],
  'GET /api/login/oidc': ['open', 'n/a'],
  'GET /api/login/oidc/callback': ['open', 'n/a'],
  'POST /api/login/oidc/back-channel': ['open', 'n/a'],
  'POST /api/login/oidc/confirm': ['open', 'n/a'],
  'POST /api/logout': ['open', 'n/a'],
  'POST /api/logout/everywhere': ['reviewer', 'n/a'],
  'GET /api/user': ['reviewer', 'n/a'],
  'POST /api/user/password': ['reviewer', 'n/a'],
  'GET /api/user/devices': ['reviewer', 'n/a'],
  'DELETE /api/user/devices/:id': ['reviewer', 'n/a'],
  'GET /api/user/second-factor': ['reviewer', 'n/a'],
  'POST /api/user/second-factor': ['reviewer', 'n/a'],
  'POST /api/user/second-factor/secret': ['reviewer', 'n/a'],
  'POST /api/user/second-factor/recovery-codes': ['reviewer', 'n/a'],
  'POST /api/user/second-factor/off': ['reviewer', 'n/a'],
  // Accounts
  'GET /api/accounts': ['administrator', 'n/a'],
  'POST /api/accounts': ['administrator', 'n/a'],
  'PUT /api/accounts/:id': ['administrator', 'n/a'],
  'DELETE /api/accounts/:id': ['administrator', 'n/a'],
  'POST /api/accounts/:id/invitation': ['administrator', 'n/a'],
  'GET /api/accounts/:id/tokens': ['administrator', 'n/a'],
  // API tokens
  'GET /api/tokens': ['reviewer', 'n/a'],
  'POST /api/tokens': ['reviewer', 'n/a'],
  'DELETE /api/tokens/:id': ['reviewer', 'n/a'],
  // Invitations
  'GET /api/invitations/:token': ['open', 'n/a'],
  'POST /api/invitations/:token': ['open', 'n/a'],
  // Funnels
  'GET /api/setup': ['recruiter', 'left out'],
  'GET /api/ats': ['recruiter', 'n/a'],
  'GET /api/ats/jobs': ['recruiter', 'n/a'],
  'GET /api/funnels': ['reviewer', 'left out'],
  'GET /api/funnels/active': ['reviewer', 'left out'],
  'POST /api/funnels': ['recruiter', '403'],
  'PUT /api/funnels/:id': ['recruiter', '404'],
  'DELETE /api/funnels/:id': ['administrator', 'n/a'],
  'GET /api/funnels/:id/contents': ['administrator', 'n/a'],
  'POST /api/funnels/:id/activate': ['recruiter', '404'],
  'POST /api/funnels/:id/reveal-api-key': ['recruiter', '404'],
  'GET /api/funnels/:id/destination-defaults': ['recruiter', '404'],
  'POST /api/funnels/check': ['recruiter', 'n/a'],
  'POST /api/funnels/positions': ['recruiter', 'n/a'],
  'GET /api/automations': ['recruiter', 'left out'],
  'POST /api/funnels/:id/resume': ['recruiter', '404'],
  'GET /api/funnels/:id/scorecard': ['reviewer', '404'],
  'PUT /api/funnels/:id/scorecard': ['recruiter', '404'],
  'POST /api/funnels/:id/webhook': ['recruiter', '404'],
  'POST /api/funnels/:id/webhook/renew': ['recruiter', '404'],
  'PUT /api/funnels/:id/webhook/signing-secret': ['recruiter', '404'],
  // Refresh
  'GET /api/interviews/sync': ['recruiter', 'left out'],
  'POST /api/interviews/sync/all': ['recruiter', 'left out'],
  'GET /api/interviews/sync/status': ['reviewer', 'left out'],
  'POST /api/interviews/sync/cancel': ['recruiter', 'left out'],
  'POST /api/interviews/sync/dismiss': ['recruiter', 'left out'],
  // Interviews
  'GET /api/interviews': ['reviewer', 'left out'],
  'GET /api/interviews.csv': ['reviewer', 'left out'],
  'POST /api/prints': ['reviewer', '404'],
  'GET /api/interviews/:id': ['reviewer', '404'],
  'GET /api/interviews/:id/video': ['reviewer', '404'],
  'GET /api/interviews/:id/thumbnail': ['reviewer', '404'],
  'GET /api/interviews/:id/transcript': ['reviewer', '404'],
  'GET /api/interviews/:id/captions': ['reviewer', '404'],
  'GET /api/interviews/:id/transcript.vtt': ['reviewer', '404'],
  'GET /api/interviews/:id/transcript.srt': ['reviewer', '404'],
  'GET /api/interviews/:id/transcript.txt': ['reviewer', '404'],
  'GET /api/interviews/:id/summary': ['reviewer', '404'],
  'GET /api/files/video/:filename': ['reviewer', '404'],
  'GET /api/files/thumbnail/:filename': ['reviewer', '404'],
  'PUT /api/interviews/:id/transcript': ['recruiter', '404'],
  'PUT /api/interviews/:id/summary': ['recruiter', '404'],
  'POST /api/interviews/:id/update-duration': ['recruiter', '404'],
  'POST /api/interviews/:id/archive': ['recruiter', '404'],
  'POST /api/interviews/:id/unarchive': ['recruiter', '404'],
  'POST /api/interviews/:id/dismiss-failures': ['recruiter', '404'],
  'POST /api/interviews/:id/destination': ['recruiter', '404'],
  // The applicant tracking system
  'GET /api/interviews/:id/ats': ['recruiter', '404'],
  'POST /api/interviews/:id/ats': ['recruiter', '404'],
  // Review
  'GET /api/review': ['reviewer', 'left out'],
  'GET /api/interviews/:id/answers': ['reviewer', '404'],
  'POST /api/interviews/:id/answers': ['recruiter', '404'],
  'POST /api/interviews/:id/watched': ['reviewer', '404'],
  'DELETE /api/interviews/:id/watched': ['reviewer', '404'],
  'POST /api/interviews/:id/played': ['reviewer', '404'],
  'GET /api/interviews/:id/reviews': ['reviewer', '404'],
  'PUT /api/interviews/:id/review': ['reviewer', '404'],
  'DELETE /api/interviews/:id/review': ['reviewer', '404'],
  'POST /api/interviews/:id/reviews/read': ['reviewer', '404'],
  'GET /api/interviews/:id/comments': ['reviewer', '404'],
  'POST /api/interviews/:id/comments': ['reviewer', '404'],
  'GET /api/interviews/:id/colleagues': ['reviewer', '404'],
  'PUT /api/comments/:id': ['reviewer', '404'],
  'DELETE /api/comments/:id': ['reviewer', '404'],
  'GET /api/notifications': ['reviewer', 'left out'],
  'POST /api/notifications/read': ['reviewer', 'n/a'],
  'GET /api/user/notices': ['reviewer', 'n/a'],
  'PUT /api/user/notices': ['reviewer', 'n/a'],
  'POST /api/mail/test': ['administrator', 'n/a'],
  // Outgoing webhooks
  'GET /api/webhooks': ['administrator', 'n/a'],
  'POST /api/webhooks': ['administrator', 'n/a'],
  'PUT /api/webhooks/:id': ['administrator', 'n/a'],
  'DELETE /api/webhooks/:id': ['administrator', 'n/a'],
  'POST /api/webhooks/:id/secret': ['administrator', 'n/a'],
  'POST /api/webhooks/:id/test': ['administrator', 'n/a'],
  'GET /api/webhooks/:id/deliveries': ['administrator', 'n/a'],
  'POST /api/webhooks/:id/deliveries/:deliveryId/retry': ['administrator', 'n/a'],
  'GET /api/saved-views': ['reviewer', 'n/a'],
  'POST /api/saved-views': ['reviewer', 'n/a'],
  'PUT /api/saved-views/:id': ['reviewer', 'n/a'],
  'DELETE /api/saved-views/:id': ['reviewer', 'n/a'],
  // Processing
  'POST /api/interviews/:id/convert': ['recruiter', '404'],
  'POST /api/interviews/:id/transcribe': ['recruiter', '404'],
  'POST /api/interviews/:id/summarize': ['recruiter', '404'],
  'POST /api/bulk': ['recruiter', 'left out'],
  'POST /api/bulk/check': ['recruiter', 'left out'],
  'GET /api/bulk/:id': ['recruiter', '404'],
  'POST /api/bulk/:id/cancel': ['recruiter', '404'],
  // Links for clients
  'GET /api/shares': ['recruiter', 'left out'],
  'POST /api/shares': ['recruiter', '404'],
  'POST /api/share-preview': ['recruiter', '404'],
  'GET /api/share-defaults': ['recruiter', '404'],
  'PUT /api/shares/:id': ['recruiter', '404'],
  'POST /api/shares/:id/link': ['recruiter', '404'],
  'GET /s/:token': ['open', 'n/a'],
  'POST /s/:token/open': ['open', 'n/a'],
  'GET /s/:token/items': ['open', 'n/a'],
  'GET /s/:token/video/:n': ['open', 'n/a'],
  'GET /s/:token/thumbnail/:n': ['open', 'n/a'],
  'GET /s/:token/captions/:n': ['open', 'n/a'],
  'POST /s/:token/watched': ['open', 'n/a'],
  'PUT /s/:token/verdict': ['open', 'n/a'],
  'POST /s/:token/comments': ['open', 'n/a'],
  // Uploads
  'GET /api/uploads': ['recruiter', 'left out'],
  'POST /api/uploads': ['recruiter', '404'],
  'POST /api/uploads/:id/keep': ['recruiter', '404'],
  'DELETE /api/uploads/:id': ['recruiter', '404'],
  'HEAD /api/uploads/:id/content': ['recruiter', '404'],
  'PATCH /api/uploads/:id/content': ['recruiter', '404'],
  // System Logs
  'GET /api/logs': ['recruiter', 'left out'],
  'GET /api/logs/:id': ['recruiter', '404'],
  // Live messages
  'GET /ws': ['reviewer', 'n/a'],
  // The documentation of the API
  'GET /api/docs': ['reviewer', 'n/a'],
  'GET /api/docs/': ['reviewer', 'n/a'],
  'GET /api/docs/json': ['reviewer', 'n/a'],
  'GET /api/docs/yaml': ['reviewer', 'n/a'],
  'GET /api/docs/static/*': ['reviewer', 'n/a'],
  'GET /api/docs/static/index.html': ['reviewer', 'n/a'],
  'GET /api/docs/static/swagger-initializer.js': ['reviewer', 'n/a'],
  // For monitors, and for webhooks, whose secret is in the path
  'GET /healthz': ['open', 'n/a'],
  'GET /livez': ['open', 'n/a'],
  'GET /readyz': ['open', 'n/a'],
  'GET /metrics': ['open', 'n/a'],
  'POST /hooks/:source/:secret': ['open', 'n/a'],
  // Pages
  'GET /': ['open', 'n/a'],
  'GET /login': ['open', 'n/a'],
  'GET /invitation/:token': ['open', 'n/a'],
  'GET /accounts': ['open', 'n/a'],
  'GET /links': ['open', 'n/a'],
  'GET /compare': ['open', 'n/a'],
  'GET /print': ['open', 'n/a'],
  'GET /funnels': ['open', 'n/a'],
  'GET /system-logs': ['open', 'n/a'],
  'GET /webhooks': ['open', 'n/a'],
  'GET /test-destination': ['open', 'n/a'],
  'GET /assets/*': ['open', 'n/a'],
  'GET /.well-known/security.txt': ['open', 'n/a'],
};
const ROWS = Object.entries(DECISIONS);
const mayCall = (role: Role, least: Access['role']) => least === 'open' || hasRole(role, least);
const rowsWith = (...wanted: Hidden[]) => ROWS.filter(([, [, hidden]]) => wanted.includes(hidden));

let stage: AccessStage;
/** The routes with a HEAD route of their GET. */
let withHead: Set<RouteName>;

beforeAll(async () => {
  const cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox(async (close) => cleanup.defer(close));
  const webFolder = await builtPages();
  cleanup.defer(() => rm(webFolder, { recursive: true }));
  const env = { ...productVariables(sandbox), METRICS_TOKEN, SECURITY_CONTACT: 'https://example.com/contact' };
  const product = await startApp({
    // Started jobs wait, because no process runs them.
    env: { ...env, ROLES: 'web' },
    isAlone: false,
    webFolder,
    onFinished: (clear) => cleanup.defer(clear),
  });
  const imageUrl = new URL(sandbox.control.interviews(FUNNEL)[0]?.thumbnailUrl ?? '', sandbox.interviewServiceUrl).href;
  stage = { product, admin: await product.signedIn(), imageUrl };
  withHead = new Set(registered().flatMap((name) => (name.startsWith('HEAD ') ? name.replace('HEAD', 'GET') : [])));
  return () => cleanup.disposeAsync();
});

async function builtPages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-pages-'));
  await mkdir(join(folder, 'assets'));
  for (const name of ['index.html', 'guest.html']) await writeFile(join(folder, name), '<!doctype html>');
  await writeFile(join(folder, 'assets', 'app.js'), '');
  return folder;
}

const registered = (): RouteName[] =>
  stage.product.app.declaredRoutes.flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${url}`));

type Caller = Pick<WorldOptions, 'role' | 'allFunnels'>;
const limited = (role: Role): Caller => ({ role, allFunnels: role === 'administrator' });

/** The world that the last requests have not changed. */
let current: { key: string; world: AccessWorld } | null = null;

async function open(route: RouteName, caller: Caller, more: Partial<WorldOptions> = {}): Promise<AccessWorld> {
  const options: WorldOptions = { active: 'own', ...needsOf(route), ...caller, ...more };
  const key = JSON.stringify(options);
  if (current?.key !== key) current = { key, world: await openAccessWorld(stage, options) };
  return current.world;
}

const endpointOf = (route: RouteName) => API.find(({ method, path }) => `${method} ${path}` === route);

/** For requests that may change the world. */
async function send(world: AccessWorld, route: RouteName, part: 'own' | 'hidden'): Promise<LightMyRequestResponse> {
  if (!route.startsWith('GET ') || endpointOf(route)?.changesState) current = null;
  return world.caller.request(requestTo(route, world[part], world));
}

/** The request, and the same one with HEAD. */
const withHeadOf = (route: RouteName, request: RawRequest): RawRequest[] =>
  withHead.has(route) ? [request, { ...request, method: 'HEAD' }] : [request];

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A response without what differs between two requests for the same thing. */
function comparable(response: LightMyRequestResponse): unknown {
  if (String(response.headers['content-type']).startsWith('text/csv'))
    return { status: response.statusCode, body: response.body };
  const body = response.body === '' ? null : JSON.parse(response.body.replaceAll(MOMENT, 'a moment'));
  return { status: response.statusCode, body: body && !Array.isArray(body) ? { ...body, requestId: null } : body };
}

function expectServed(route: RouteName, { statusCode, body }: LightMyRequestResponse): void {
  const code = statusCode < 400 ? null : body === '' ? statusCode : JSON.parse(body).code;
  expect([route, code, body]).toEqual([route, REFUSALS[route] ?? null, body]);
}

test('every route has a decision: its least role, and what it shows of funnels that the caller does not see', () => {
  const decided = new Set([
    ...Object.keys(DECISIONS),
    ...Object.keys(DECISIONS).map((name) => name.replace(/^GET/, 'HEAD')),
  ]);
  const names = new Set([...API.map(({ method, path }) => `${method} ${path}`), ...registered()]);
  expect([...names.difference(decided)], 'Add rows to DECISIONS').toEqual([]);
  const isServed = (name: RouteName) => {
    const [method = '', url = ''] = name.split(' ');
    return stage.product.app.hasRoute({ method: method as 'GET', url });
  };
  expect(
    Object.keys(DECISIONS).filter((name) => !isServed(name)),
    'Remove rows of DECISIONS',
  ).toEqual([]);
});

describe('a role below the least one', () => {
  const guarded = ROLES.flatMap((role) =>
    ROWS.flatMap(([route, [least]]) => (mayCall(role, least) ? [] : [[route, role, least] as const])),
  );

  test.for(guarded)('%s is forbidden for a %s, for any id and body', async ([route, role, least]) => {
    const world = await open(route, limited(role));
    for (const ids of [world.own, world.hidden, world.unknown]) {
      const request = requestTo(route, ids, world);
      for (const one of [...withHeadOf(route, request), ...(request.body ? [{ ...request, body: {} }] : [])]) {
        const response = await world.caller.request(one);
        expect([ids.name, one.method, response.statusCode]).toEqual([ids.name, one.method, 403]);
        if (one.method !== 'HEAD')
          expect(response.json()).toMatchObject({ code: 'forbidden', message: `This needs the role ${least}.` });
      }
    }
  });
});

describe('the least role and those above it', () => {
  const allowed = ROLES.flatMap((role) =>
    ROWS.flatMap(([route, [least, hidden]]) => (mayCall(role, least) ? [[route, role, hidden] as const] : [])),
  );

  test.for(allowed)('%s serves a %s for an own funnel', async ([route, role, hidden]) => {
    const world = await open(route, hidden === '403' ? { role, allFunnels: true } : limited(role));
    const response = await send(world, route, 'own');
    expectServed(route, response);
    const endpoint = endpointOf(route);
    if (endpoint && !REFUSALS[route]) expect(response.statusCode).toBe(endpoint.status ?? 200);
  });

  test.for(rowsWith('404', 'left out'))('%s serves an administrator for every funnel', async ([route]) => {
    const world = await open(route, limited('administrator'), { active: 'hidden' });
    expectServed(route, await send(world, route, 'hidden'));
  });
});

describe('what belongs to a funnel that the caller does not see', () => {
  const cells = (...wanted: Hidden[]) =>
    (['reviewer', 'recruiter'] as const).flatMap((role) =>
      rowsWith(...wanted).flatMap(([route, [least]]) => (mayCall(role, least) ? [[route, role] as const] : [])),
    );

  test.for(cells('404'))('%s answers a %s like for what does not exist', async ([route, role]) => {
    const world = await open(route, limited(role));
    const [hidden, unknown] = [world.hidden, world.unknown].map((ids) =>
      withHeadOf(route, requestTo(route, ids, world)),
    );
    for (const [at, request] of (hidden ?? []).entries()) {
      const response = comparable(await world.caller.request(request));
      expect(response).toMatchObject({ status: 404 });
      expect(response).toEqual(comparable(await world.caller.request(unknown?.[at] ?? request)));
    }
  });

  test.for(cells('left out'))('%s answers a %s as if the funnel did not exist', async ([route, role]) => {
    const read = async (caller: Caller, hasHidden: boolean) =>
      comparable(await send(await open(route, caller, { active: 'hidden', hasHidden }), route, 'hidden'));
    expect(await read(limited(role), true)).toEqual(await read(limited(role), false));
    const everything = { role, allFunnels: true };
    expect(await read(everything, true)).not.toEqual(await read(everything, false));
  });

  test.for(cells('403'))('%s is forbidden for a %s without all funnels', async ([route, role]) => {
    const world = await open(route, limited(role));
    const response = await send(world, route, 'own');
    expect([response.statusCode, response.json()]).toMatchObject([
      403,
      { code: 'forbidden', message: 'This needs an account that sees all funnels.' },
    ]);
  });
});
