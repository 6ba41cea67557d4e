import type { AccessWorld, FunnelIds, WorldOptions } from './access-world.ts';
import type { RawRequest } from './call.ts';
import { previewForm, shareForm } from './sharing.ts';

/** `METHOD /path`, with the parameters in the notation of Fastify. */
export type RouteName = string;

const FORM = { name: 'Changed', apiKey: 'key', funnelId: 'changed' };
const PASSWORD = 'admin123';
const TUS = { 'tus-resumable': '1.0.0' };
const CONTENT = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
const CRITERION = { key: 'care', label: 'Care', low: '', middle: '', high: '' };
const WEBHOOK = {
  ...{ url: 'https://203.0.114.1/events', events: ['share.opened'], format: 'json' },
  includePersonalData: false,
};
const CREDENTIALS = { username: 'admin', password: PASSWORD };
export const METRICS_TOKEN = 'a token of the monitors';

type Part = Pick<RawRequest, 'body' | 'headers'> & { query?: string };

/** The query, body and headers of each request. */
const PARTS: Record<RouteName, (ids: FunnelIds) => Part> = {
  'POST /api/user/password': () => ({ body: { currentPassword: PASSWORD, newPassword: 'correct horse battery' } }),
  'POST /api/user/second-factor/secret': () => ({ body: { currentPassword: PASSWORD } }),
  'POST /api/user/second-factor': () => ({ body: { code: '123456' } }),
  'POST /api/user/second-factor/recovery-codes': () => ({ body: { currentPassword: PASSWORD, code: '123456' } }),
  'POST /api/user/second-factor/off': () => ({ body: { currentPassword: PASSWORD, code: '123456' } }),
  'POST /api/login': () => ({ body: CREDENTIALS }),
  'POST /api/login/password': () => ({
    body: { ...CREDENTIALS, startCode: 'x', newPassword: 'correct horse battery' },
  }),
  'POST /api/login/second-factor/secret': () => ({ body: CREDENTIALS }),
  'POST /api/login/second-factor': () => ({ body: { ...CREDENTIALS, code: '123456' } }),
  'POST /api/login/oidc/confirm': () => ({ body: { password: PASSWORD } }),
  'POST /api/accounts': () => ({ body: { username: 'new', role: 'reviewer', allFunnels: true, funnelIds: [] } }),
  'PUT /api/accounts/:id': () => ({ body: { role: 'recruiter' } }),
  'POST /api/tokens': () => ({
    body: { name: 'Export', scopes: ['read'], expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
  }),
  'POST /api/invitations/:token': () => ({ body: { newPassword: 'correct horse battery' } }),
  'POST /api/funnels': () => ({ body: FORM }),
  'PUT /api/funnels/:id': () => ({ body: FORM }),
  'POST /api/funnels/check': () => ({ body: { source: 'rest', apiKey: 'key', funnelId: 'warehouse' } }),
  'POST /api/funnels/positions': () => ({ body: { source: 'rest', apiKey: 'key' } }),
  'PUT /api/funnels/:id/webhook/signing-secret': () => ({ body: { signingSecret: 'whsec' } }),
  'POST /api/interviews/:id/update-duration': () => ({ body: { duration: 60 } }),
  'PUT /api/interviews/:id/transcript': () => ({ body: { transcriptionText: 'Hello' } }),
  'PUT /api/interviews/:id/summary': () => ({ body: { summaryText: 'Hello' } }),
  'POST /api/interviews/:id/answers': () => ({ body: { position: 0, startSeconds: 1 } }),
  'POST /api/interviews/:id/destination': () => ({ body: { destinationId: 'BUB-ACME-1' } }),
  'POST /api/interviews/:id/ats': () => ({ body: { candidateId: '1001' } }),
  'PUT /api/funnels/:id/scorecard': () => ({ body: { criteria: [CRITERION] } }),
  'PUT /api/interviews/:id/review': () => ({ body: { ratings: {}, recommendation: 3, note: '', submit: true } }),
  'POST /api/interviews/:id/comments': () => ({ body: { body: 'Listen again.', atSeconds: 1 } }),
  'PUT /api/comments/:id': () => ({ body: { body: 'Listen again.' } }),
  'GET /api/review': () => ({ query: 'skip=0' }),
  'POST /api/bulk': ({ funnelId }) => ({ body: { action: 'archive', target: allOf(funnelId) } }),
  'POST /api/bulk/check': ({ funnelId }) => ({ body: { target: allOf(funnelId) } }),
  'POST /api/notifications/read': () => ({ body: {} }),
  'PUT /api/user/notices': () => ({ body: { opened: 'now', verdict: 'daily', mention: 'off', expiring: 'now' } }),
  'POST /api/mail/test': () => ({ body: { to: 'ann@example.com' } }),
  'POST /api/webhooks': () => ({ body: WEBHOOK }),
  'PUT /api/webhooks/:id': () => ({ body: { ...WEBHOOK, isActive: true } }),
  'POST /api/saved-views': () => ({ body: { name: 'New nurses', query: '' } }),
  'PUT /api/saved-views/:id': () => ({ body: { name: 'New nurses' } }),
  'POST /api/prints': ({ interviewId }) => ({ body: { interviewIds: [interviewId] } }),
  'POST /api/shares': ({ interviewId }) => ({ body: shareForm({ interviewIds: [interviewId] }) }),
  'POST /api/share-preview': ({ interviewId }) => ({ body: previewForm({ interviewIds: [interviewId] }) }),
  'GET /api/share-defaults': ({ interviewId }) => ({ query: `interviewId=${interviewId}` }),
  'PUT /api/shares/:id': () => ({ body: { revoked: true } }),
  'POST /s/:token/open': () => ({ body: {} }),
  'POST /s/:token/watched': () => ({ body: { n: 1, ranges: [[0, 5]] } }),
  'PUT /s/:token/verdict': () => ({ body: { n: 1, verdict: 'yes' } }),
  'POST /s/:token/comments': () => ({ body: { n: 1, atSeconds: 1, body: 'Hello' } }),
  'POST /api/uploads': ({ funnelId }) => ({ body: uploadInto(funnelId) }),
  'HEAD /api/uploads/:id/content': () => ({ headers: TUS }),
  'PATCH /api/uploads/:id/content': () => ({ headers: CONTENT, body: Buffer.from('abc') }),
  'GET /ws': () => ({ headers: { origin: 'http://localhost:80', host: 'localhost:80' } }),
  'GET /metrics': () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
};

const allOf = (funnelId: number) => ({ filter: { funnelId: [funnelId] }, expected: 1 });

const uploadInto = (funnelId: number) => ({
  ...{ funnelId, fileName: 'dana.mp4', size: 1_000, modifiedAt: '2026-11-20T08:00:00.000Z' },
  candidateName: 'Dana Moore',
});

/** The parameter of a path, by its beginning. */
const PARAMETERS: [start: string, value: (ids: FunnelIds, world: AccessWorld) => unknown][] = [
  ['/api/interviews/', ({ interviewId }) => interviewId],
  ['/api/funnels/', ({ funnelId }) => funnelId],
  ['/api/uploads/', ({ uploadId }) => uploadId],
  ['/api/comments/', ({ commentId }) => commentId],
  ['/api/bulk/', ({ bulkRunId }) => bulkRunId],
  ['/api/shares/', ({ shareId }) => shareId],
  ['/s/', ({ shareToken }) => shareToken],
  ['/api/logs/', ({ logEntryId }) => logEntryId],
  ['/api/files/video/', ({ name }) => `${name}.mp4`],
  ['/api/files/thumbnail/', ({ name }) => `${name}.jpg`],
  ['/api/saved-views/', (_ids, { viewId }) => viewId],
  ['/api/webhooks/', (_ids, { webhookId }) => webhookId],
  ['/api/accounts/', (_ids, { colleagueId }) => colleagueId],
  ['/api/user/devices/', (_ids, { deviceId }) => deviceId],
  ['/api/tokens/', (_ids, { apiTokenId }) => apiTokenId],
  ['/api/invitations/', (_ids, { invitationToken }) => invitationToken],
  ['/api/docs/static/', () => 'index.css'],
  ['/assets/', () => 'app.js'],
];

/** A request that succeeds for an account that may send it, about what belongs to a funnel. */
export function requestTo(route: RouteName, ids: FunnelIds, world: AccessWorld): RawRequest {
  const [method = '', path = ''] = route.split(' ');
  const value = PARAMETERS.find(([start]) => path.startsWith(start))?.[1](ids, world) ?? 'unknown';
  const { query, ...part } = PARTS[route]?.(ids) ?? {};
  const url = path.replace('/:n', '/1').replaceAll(/:\w+|\*/g, encodeURIComponent(String(value)));
  return { method: method as RawRequest['method'], url: query ? `${url}?${query}` : url, ...part };
}

/** The options of the world for a request. */
export const needsOf = (route: RouteName): Pick<WorldOptions, 'refresh' | 'source' | 'uploads'> => ({
  source: /\/uploads/.test(route) ? 'upload' : 'rest',
  uploads: route.endsWith('/content') ? 'receiving' : 'duplicate',
  refresh: /sync\/(status|cancel)/.test(route) ? 'running' : /sync\/dismiss/.test(route) ? 'failed' : null,
});

/** Requests that fail although the caller has the rights, with their error codes. */
export const REFUSALS: Record<RouteName, string> = {
  'POST /api/login/password': 'conflict',
  'POST /api/login/second-factor/secret': 'conflict',
  'POST /api/login/second-factor': 'conflict',
  // No person waits, and the walk has no signed token.
  'POST /api/login/oidc/confirm': 'invalid_input',
  'POST /api/login/oidc/back-channel': 'invalid_input',
  'POST /api/user/second-factor': 'conflict',
  'POST /api/user/second-factor/recovery-codes': 'conflict',
  'POST /api/user/second-factor/off': 'conflict',
  // The key does not exist at the service.
  'POST /api/funnels/check': 'conflict',
  // The terms of Bullhorn are not accepted in the test.
  'GET /api/ats/jobs': 'upstream_failed',
  'GET /api/interviews/:id/ats': 'upstream_failed',
  'POST /api/interviews/:id/ats': 'conflict',
  'GET /ws': 'not_found',
  // They need the cookie of an opened link, which no account has.
  'GET /s/:token/items': 'unauthenticated',
  'GET /s/:token/video/:n': 'unauthenticated',
  'GET /s/:token/thumbnail/:n': 'unauthenticated',
  'GET /s/:token/captions/:n': 'unauthenticated',
  'POST /s/:token/watched': 'unauthenticated',
  'PUT /s/:token/verdict': 'unauthenticated',
  'POST /s/:token/comments': 'unauthenticated',
  'POST /hooks/:source/:secret': 'unauthenticated',
};
