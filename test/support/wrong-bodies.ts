import { API } from '#contracts/api.ts';

/** Method, path, body, and the field in the error response. */
type Row = [method: string, path: string, body: unknown, field: string];

/** A valid form. */
const SUMMARY = { method: 'model', overview: 'x', expectations: [], openQuestions: [] };

export const FUNNEL = { name: 'Nurses', apiKey: 'key', funnelId: 'nurses' };

const WRONG_FUNNELS: [part: object, field: string][] = [
  [{ name: ' ' }, 'name'],
  [{ name: 5 }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'a\u0000b' }, 'name'],
  [{ clientName: 'x'.repeat(51) }, 'clientName'],
  [{ clientName: ['ACME'] }, 'clientName'],
  [{ apiKey: undefined }, 'apiKey'],
  [{ apiKey: null }, 'apiKey'],
  [{ apiKey: 'x'.repeat(101) }, 'apiKey'],
  [{ funnelId: '' }, 'funnelId'],
  [{ directLink: `https://x/${'x'.repeat(200)}` }, 'directLink'],
  [{ directLink: 'javascript:alert(1)' }, 'directLink'],
  [{ description: 'x'.repeat(2001) }, 'description'],
  [{ skills: 'x'.repeat(201) }, 'skills'],
  [{ professionalExpectations: 'x'.repeat(501) }, 'professionalExpectations'],
  [{ skillExpectations: 'x'.repeat(501) }, 'skillExpectations'],
  [{ educationExpectations: 'x'.repeat(501) }, 'educationExpectations'],
  [{ cultureExpectations: 'x'.repeat(501) }, 'cultureExpectations'],
  [{ processAutomatically: 'yes' }, 'processAutomatically'],
  [{ source: 'ftp' }, 'source'],
  [{ source: 'videoask' }, 'source'],
  ...[0, 14, 15.5, 10_081, '15'].map((minutes): [object, string] => [{ refreshMinutes: minutes }, 'refreshMinutes']),
  [{ newInterviews: 'convert' }, 'newInterviews'],
  ...[0, 10_001, '5'].map((limit): [object, string] => [{ dailyLimit: limit }, 'dailyLimit']),
];

const UPLOAD = {
  funnelId: 1,
  fileName: 'dana.mp4',
  size: 1_000,
  modifiedAt: '2026-11-20T08:00:00Z',
  candidateName: 'Dana Moore',
};
const WRONG_UPLOADS: [part: object, field: string][] = [
  [{ funnelId: '1' }, 'funnelId'],
  [{ funnelId: 0 }, 'funnelId'],
  [{ fileName: ' ' }, 'fileName'],
  [{ fileName: 'x'.repeat(256) }, 'fileName'],
  [{ size: 0 }, 'size'],
  [{ size: 1.5 }, 'size'],
  [{ modifiedAt: 'yesterday' }, 'modifiedAt'],
  [{ candidateName: '' }, 'candidateName'],
  [{ candidateName: 'a\nb' }, 'candidateName'],
  [{ candidateEmail: 'dana' }, 'candidateEmail'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ recordedDate: '2026-11-20' }, 'recordedDate'],
  [{ thumbnail: '<svg/>' }, 'thumbnail'],
  [{ thumbnail: 'A'.repeat(400_001) }, 'thumbnail'],
];

const ACCOUNT = { username: 'ann', role: 'recruiter', allFunnels: true, funnelIds: [] };
const WRONG_ACCOUNTS: [part: object, field: string][] = [
  [{ email: 'ann' }, 'email'],
  [{ email: 5 }, 'email'],
  [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
  [{ role: 'owner' }, 'role'],
  [{ role: null }, 'role'],
  [{ allFunnels: 'yes' }, 'allFunnels'],
  [{ funnelIds: 1 }, 'funnelIds'],
  [{ funnelIds: ['1'] }, 'funnelIds'],
  [{ funnelIds: [0] }, 'funnelIds'],
  [{ funnelIds: Array.from({ length: 10_001 }, (_, at) => at + 1) }, 'funnelIds'],
];

const TOKEN = { name: 'Export', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' };
const WRONG_TOKENS: [part: object, field: string][] = [
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ name: 'a\u200Bn' }, 'name'],
  [{ scopes: undefined }, 'scopes'],
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['read', 'admin'] }, 'scopes'],
  [{ scopes: 'read' }, 'scopes'],
  [{ expiresAt: undefined }, 'expiresAt'],
  [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  [{}, 'expiresAt'],
  [{ expiresAt: '2999-01-01T00:00:00Z' }, 'expiresAt'],
];

export const OUTGOING_WEBHOOK = {
  url: 'https://example.com/events',
  events: ['interview.added'],
  format: 'json',
  includePersonalData: false,
};
const WRONG_OUTGOING_WEBHOOKS: [part: object, field: string][] = [
  [{ url: undefined }, 'url'],
  [{ url: ' ' }, 'url'],
  [{ url: 5 }, 'url'],
  [{ url: `https://example.com/${'x'.repeat(2_000)}` }, 'url'],
  ...[
    ...['example.com', 'https://', 'http://example.com/events', 'ftp://example.com', 'javascript:alert(1)'],
    ...['https://localhost/x', 'https://127.0.0.1', 'https://[::1]/', 'https://10.0.0.1', 'https://0x7f.1/'],
    ...['https://169.254.169.254/latest', 'https://metadata.internal', 'https://ann:secret@example.com/'],
  ].map((url): [object, string] => [{ url }, 'url']),
  [{ events: undefined }, 'events'],
  [{ events: [] }, 'events'],
  [{ events: 'interview.added' }, 'events'],
  [{ events: ['interview.added', 'interview.deleted'] }, 'events'],
  [{ events: ['webhook.test'] }, 'events'],
  [{ format: undefined }, 'format'],
  [{ format: 'xml' }, 'format'],
  [{ includePersonalData: undefined }, 'includePersonalData'],
  [{ includePersonalData: 'no' }, 'includePersonalData'],
];

/** A valid share of the interview `iv_1`. */
export const SHARE = {
  recipients: [{ name: 'Ann Lee', email: 'ann@example.com' }],
  interviewIds: ['iv_1'],
  title: 'Three candidates',
  expiresAt: new Date(Date.now() + 14 * 24 * 60 * 60_000).toISOString(),
  shows: { name: 'full', contact: false, transcript: true, summary: true, questions: true },
  mayComment: true,
  mayDecide: true,
};
const WRONG_SHARES: [part: object, field: string][] = [
  [{ recipients: [] }, 'recipients'],
  [{ recipients: Array.from({ length: 11 }, () => ({ name: 'Ann' })) }, 'recipients'],
  [{ recipients: [{ name: ' ' }] }, 'recipients[0].name'],
  [{ recipients: [{ name: 'Ann\nLee' }] }, 'recipients[0].name'],
  [{ recipients: [{ name: 'Ann', email: 'ann' }] }, 'recipients[0].email'],
  [{ interviewIds: [] }, 'interviewIds'],
  [{ interviewIds: ['iv_1', 'iv_1'] }, 'interviewIds'],
  [{ interviewIds: Array.from({ length: 51 }, (_, at) => `iv_${at}`) }, 'interviewIds'],
  [{ interviewIds: ['a\nb'] }, 'interviewIds'],
  [{ title: ' ' }, 'title'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ message: 'x'.repeat(2_001) }, 'message'],
  [{ message: 'a\0b' }, 'message'],
  [{ expiresAt: undefined }, 'expiresAt'],
  [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  [{ expiresAt: new Date(Date.now() + 181 * 24 * 60 * 60_000).toISOString() }, 'expiresAt'],
  [{ passcode: '123' }, 'passcode'],
  [{ passcode: 1234 }, 'passcode'],
  [{ send: 'yes' }, 'send'],
  [{ shows: undefined }, 'shows'],
  [{ shows: { ...SHARE.shows, name: 'last' } }, 'shows.name'],
  [{ shows: { ...SHARE.shows, transcript: 1 } }, 'shows.transcript'],
  [{ mayComment: undefined }, 'mayComment'],
  [{ mayDecide: 'no' }, 'mayDecide'],
];
const PREVIEW = { ...SHARE, recipient: 'Ann Lee' };
const WRONG_PREVIEWS: [part: object, field: string][] = [
  [{ interviewIds: [] }, 'interviewIds'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ message: 'x'.repeat(2_001) }, 'message'],
  [{ recipient: 'x'.repeat(201) }, 'recipient'],
  [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  [{ shows: undefined }, 'shows'],
  [{ mayComment: 1 }, 'mayComment'],
  [{ mayDecide: 1 }, 'mayDecide'],
];
const WRONG_SHARE_CHANGES: [part: object, field: string][] = [
  [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  [{ revoked: 'yes' }, 'revoked'],
  [{ closed: 1 }, 'closed'],
];
const WRONG_GUEST_BODIES: Row[] = [
  ['POST', '/s/:token/open', { passcode: 1234 }, 'passcode'],
  ['POST', '/s/:token/open', { passcode: 'x'.repeat(101) }, 'passcode'],
  ...[0, 51, 1.5, '1'].flatMap((n): Row[] => [
    ['POST', '/s/:token/watched', { n, ranges: [] }, 'n'],
    ['PUT', '/s/:token/verdict', { n, verdict: 'yes' }, 'n'],
    ['POST', '/s/:token/comments', { n, atSeconds: 1, body: 'x' }, 'n'],
  ]),
  ...[[[5, 1]], [[-1, 1]], [[0, 604_801]], [[0]], [0, 5], Array.from({ length: 201 }, () => [0, 1])].map(
    (ranges): Row => ['POST', '/s/:token/watched', { n: 1, ranges }, 'ranges'],
  ),
  ['PUT', '/s/:token/verdict', { n: 1, verdict: 'perhaps' }, 'verdict'],
  ['PUT', '/s/:token/verdict', { n: 1, verdict: 'yes', note: 'x'.repeat(1_001) }, 'note'],
  ['POST', '/s/:token/comments', { n: 1, atSeconds: -1, body: 'x' }, 'atSeconds'],
  ['POST', '/s/:token/comments', { n: 1, atSeconds: 1, body: ' ' }, 'body'],
  ['POST', '/s/:token/comments', { n: 1, atSeconds: 1, body: 'x'.repeat(4_001) }, 'body'],
];

const LONG_PASSWORD = 'x'.repeat(1_001);
/** Invalid for the sign-in and for both steps of the required second-factor setup. */
const WRONG_CREDENTIALS: [body: object, field: string][] = [
  [{}, 'username'],
  [{ username: '  ', password: 'x' }, 'username'],
  [{ username: 'x'.repeat(201), password: 'x' }, 'username'],
  [{ username: 'admin' }, 'password'],
  [{ username: 'admin', password: 7 }, 'password'],
  [{ username: 'admin', password: LONG_PASSWORD }, 'password'],
];
const ADMIN = { username: 'admin', password: 'x' };

const ofInterview = (method: string, what: string, rows: [body: object, field: string][]) =>
  rows.map(([body, field]): Row => [method, `/api/interviews/:id/${what}`, body, field]);

const WRONG_TARGETS: [target: unknown, field: string][] = [
  [undefined, 'target'],
  [{ ids: [] }, 'target.ids'],
  [{ ids: ['iv_1'], expected: 1 }, 'target'],
  [{ ids: Array.from({ length: 10_001 }, (_, at) => `iv_${at}`) }, 'target'],
  [{ filter: {} }, 'target'],
  [{ filter: { status: 'finished' }, expected: 1 }, 'target'],
  [{ filter: {}, expected: 10_001 }, 'target.expected'],
  [{ filter: { search: 'a\0b' }, expected: 1 }, 'target.filter.search'],
  [{ filter: { clientName: '\0' }, expected: 1 }, 'target.filter.clientName'],
  [{ ids: ['iv_1', 'iv_\0'] }, 'target.ids'],
  [{ run: 0 }, 'target.run'],
];

export const CRITERION = { key: 'care', label: 'Care', low: 'Rushes', middle: 'Listens', high: 'Explains' };

const WRONG_CRITERIA: [criteria: unknown, field: string][] = [
  [undefined, 'criteria'],
  [[], 'criteria'],
  [Array.from({ length: 9 }, (_, n) => ({ ...CRITERION, key: `care-${n}` })), 'criteria'],
  [[CRITERION, CRITERION], 'criteria'],
  [[{ ...CRITERION, key: ' ' }], 'criteria[0].key'],
  [[{ ...CRITERION, key: 'x'.repeat(61) }], 'criteria[0].key'],
  [[{ ...CRITERION, label: '' }], 'criteria[0].label'],
  [[{ ...CRITERION, label: 'x'.repeat(101) }], 'criteria[0].label'],
  [[{ ...CRITERION, low: 'a\nb' }], 'criteria[0].low'],
  [[{ ...CRITERION, middle: 'x'.repeat(501) }], 'criteria[0].middle'],
  [[{ ...CRITERION, high: 5 }], 'criteria[0].high'],
];

export const REVIEW = { ratings: {}, recommendation: 3, note: '', submit: true };

const WRONG_REVIEWS: [part: object, field: string][] = [
  [{ ratings: null }, 'ratings'],
  [{ ratings: [] }, 'ratings'],
  [{ ratings: { care: 0 } }, 'ratings.care'],
  [{ ratings: { care: 6 } }, 'ratings.care'],
  [{ ratings: { care: 2.5 } }, 'ratings.care'],
  [{ ratings: { care: 'good' } }, 'ratings.care'],
  [{ ratings: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`care-${n}`, 1])) }, 'ratings'],
  [{ recommendation: 0 }, 'recommendation'],
  [{ recommendation: 5 }, 'recommendation'],
  [{ recommendation: 'yes' }, 'recommendation'],
  [{ note: 5 }, 'note'],
  [{ note: 'x'.repeat(2_001) }, 'note'],
  [{ submit: undefined }, 'submit'],
  [{ submit: 'yes' }, 'submit'],
];

export const COMMENT = { body: 'Listen again.', atSeconds: 12.5 };

const WRONG_COMMENTS: [part: object, field: string][] = [
  [{ body: ' ' }, 'body'],
  [{ body: 5 }, 'body'],
  [{ body: 'x'.repeat(4_001) }, 'body'],
  [{ atSeconds: -1 }, 'atSeconds'],
  [{ atSeconds: 604_801 }, 'atSeconds'],
  [{ atSeconds: '1' }, 'atSeconds'],
];

export const WRONG_BODIES: Row[] = [
  ...API.filter(({ body }) => body).map(({ method, path }): Row => [method, path, [], 'body']),
  ...['/api/login', '/api/login/password', '/api/login/second-factor/secret', '/api/login/second-factor'].flatMap(
    (path) => WRONG_CREDENTIALS.map(([body, field]): Row => ['POST', path, body, field]),
  ),
  ...['/api/login', '/api/login/second-factor'].flatMap((path): Row[] => [
    ['POST', path, { ...ADMIN, rememberMe: 'yes', code: '123456' }, 'rememberMe'],
    ['POST', path, { ...ADMIN, code: '' }, 'code'],
    ['POST', path, { ...ADMIN, code: 123_456 }, 'code'],
    ['POST', path, { ...ADMIN, code: '1'.repeat(101) }, 'code'],
  ]),
  ...[{ username: ' ' }, { username: 5 }, { username: 'x'.repeat(201) }, { username: 'a\u200Bn' }].map(
    (part): Row => ['POST', '/api/accounts', { ...ACCOUNT, ...part }, 'username'],
  ),
  ...WRONG_ACCOUNTS.map(([part, field]): Row => ['POST', '/api/accounts', { ...ACCOUNT, ...part }, field]),
  ...[...WRONG_ACCOUNTS, [{ isDisabled: 'yes' }, 'isDisabled'] as const].map(
    ([part, field]): Row => ['PUT', '/api/accounts/:id', part, field],
  ),
  ['POST', '/api/login/oidc/confirm', {}, 'password'],
  ['POST', '/api/login/oidc/confirm', { password: LONG_PASSWORD }, 'password'],
  ['POST', '/api/login/oidc/confirm', { password: 'x', code: 5 }, 'code'],
  ...WRONG_TOKENS.map(([part, field]): Row => ['POST', '/api/tokens', { ...TOKEN, ...part }, field]),
  ['POST', '/api/invitations/:token', { newPassword: '' }, 'newPassword'],
  ['POST', '/api/invitations/:token', { newPassword: LONG_PASSWORD }, 'newPassword'],
  ...[undefined, ' ', 5, 'x'.repeat(201)].map(
    (signingSecret): Row => ['PUT', '/api/funnels/:id/webhook/signing-secret', { signingSecret }, 'signingSecret'],
  ),
  ...WRONG_COMMENTS.flatMap(([part, field]): Row[] => [
    ['POST', '/api/interviews/:id/comments', { ...COMMENT, ...part }, field],
    ['PUT', '/api/comments/:id', { ...COMMENT, ...part }, field],
  ]),
  ['POST', '/api/interviews/:id/comments', { body: 'Hello' }, 'atSeconds'],
  ...WRONG_CRITERIA.map(([criteria, field]): Row => ['PUT', '/api/funnels/:id/scorecard', { criteria }, field]),
  ...ofInterview(
    'PUT',
    'review',
    WRONG_REVIEWS.map(([part, field]) => [{ ...REVIEW, ...part }, field]),
  ),
  ['POST', '/api/login/second-factor', ADMIN, 'code'],
  ['POST', '/api/login/password', { ...ADMIN, newPassword: 'x' }, 'startCode'],
  ['POST', '/api/login/password', { ...ADMIN, startCode: 'x' }, 'newPassword'],
  ['POST', '/api/login/password', { ...ADMIN, startCode: 'x', newPassword: LONG_PASSWORD }, 'newPassword'],
  ['POST', '/api/user/password', { newPassword: 'something else' }, 'currentPassword'],
  ['POST', '/api/user/password', { currentPassword: LONG_PASSWORD, newPassword: 'x' }, 'currentPassword'],
  ['POST', '/api/user/password', { currentPassword: 'x', newPassword: '' }, 'newPassword'],
  ['POST', '/api/user/password', { currentPassword: 'x', newPassword: LONG_PASSWORD }, 'newPassword'],
  ['POST', '/api/user/password', { currentPassword: 'x', newPassword: 'y', code: ' ' }, 'code'],
  ['POST', '/api/user/second-factor/secret', {}, 'currentPassword'],
  ['POST', '/api/user/second-factor/secret', { currentPassword: 'x', code: '' }, 'code'],
  ['POST', '/api/user/second-factor', { code: ' ' }, 'code'],
  ...['recovery-codes', 'off'].flatMap((what): Row[] => [
    ['POST', `/api/user/second-factor/${what}`, { code: '123456' }, 'currentPassword'],
    ['POST', `/api/user/second-factor/${what}`, { currentPassword: 'x' }, 'code'],
  ]),
  ...WRONG_FUNNELS.flatMap(([part, field]): Row[] => [
    ['POST', '/api/funnels', { ...FUNNEL, ...part }, field],
    ['PUT', '/api/funnels/:id', { ...FUNNEL, ...part }, field],
  ]),
  ['POST', '/api/funnels/check', { source: 'ftp', apiKey: 'key', funnelId: 'nurses' }, 'source'],
  ['POST', '/api/funnels/check', { source: 'rest', apiKey: ' ', funnelId: 'nurses' }, 'apiKey'],
  ['POST', '/api/funnels/check', { source: 'rest', apiKey: 'key' }, 'funnelId'],
  ['POST', '/api/funnels/positions', { source: 'videoask', apiKey: 'key' }, 'source'],
  ['POST', '/api/funnels/positions', { source: 'rest', apiKey: '' }, 'apiKey'],
  ...ofInterview('POST', 'answers', [
    [{ startSeconds: 1 }, 'position'],
    [{ position: -1, startSeconds: 1 }, 'position'],
    [{ position: 1.5, startSeconds: 1 }, 'position'],
    [{ position: 0, startSeconds: -1 }, 'startSeconds'],
    [{ position: 0, startSeconds: '1' }, 'startSeconds'],
    [{ position: 0, startSeconds: 604_801 }, 'startSeconds'],
  ]),
  ...ofInterview('POST', 'update-duration', [
    [{}, 'duration'],
    [{ duration: '60' }, 'duration'],
    [{ duration: 0 }, 'duration'],
    [{ duration: 1.5 }, 'duration'],
    [{ duration: 604_801 }, 'duration'],
  ]),
  ...ofInterview('PUT', 'transcript', [
    [{ transcriptionText: '  \n ' }, 'transcriptionText'],
    [{ transcriptionText: 'x'.repeat(200_001) }, 'transcriptionText'],
    [{ transcriptionText: 'x', basedOn: 'yesterday' }, 'basedOn'],
  ]),
  ...ofInterview('PUT', 'summary', [
    [{ summaryText: '' }, 'summaryText'],
    [{ summaryText: null }, 'summaryText'],
    [{ summaryText: 'x', basedOn: 7 }, 'basedOn'],
    [{ structure: SUMMARY }, 'summaryText'],
    [{ summaryText: 'x', structure: 'x' }, 'structure'],
    [{ summaryText: 'x', structure: SUMMARY }, 'structure'],
  ]),
  ...ofInterview('POST', 'ats', [
    [{}, 'candidateId'],
    [{ candidateId: ' ' }, 'candidateId'],
    [{ candidateId: 7 }, 'candidateId'],
    [{ candidateId: 'x'.repeat(101) }, 'candidateId'],
    [{ candidateId: '7', shareId: '1' }, 'shareId'],
    [{ candidateId: '7', shareId: 0 }, 'shareId'],
    [{ candidateId: '7', shareId: 1.5 }, 'shareId'],
  ]),
  ...ofInterview('POST', 'destination', [
    [{ destinationId: 'ACME-1' }, 'destinationId'],
    [{ destinationId: 'BUB-ACME' }, 'destinationId'],
    [{ destinationId: 'BUB-..-..' }, 'destinationId'],
    [{ destinationId: 'BUB-ACME- . ' }, 'destinationId'],
    [{ destinationId: `BUB-ACME-${'1'.repeat(200)}` }, 'destinationId'],
    [{ destinationId: 'BUB-ACME-1', notes: 'x'.repeat(2001) }, 'notes'],
  ]),
  ...[{}, { name: ' ' }, { name: 'x'.repeat(61) }].flatMap((body): Row[] => [
    ['POST', '/api/saved-views', { query: '', ...body }, 'name'],
    ['PUT', '/api/saved-views/:id', body, 'name'],
  ]),
  ['PUT', '/api/user/notices', { opened: 'now', verdict: 'weekly', mention: 'now', expiring: 'now' }, 'verdict'],
  ['PUT', '/api/user/notices', { opened: 'now', verdict: 'now', mention: 'weekly', expiring: 'now' }, 'mention'],
  ['POST', '/api/notifications/read', { ids: 'all' }, 'ids'],
  ['POST', '/api/notifications/read', { ids: [0] }, 'ids'],
  ['PUT', '/api/user/notices', { opened: 'now', verdict: 'now', mention: 'now' }, 'expiring'],
  ['PUT', '/api/user/notices', { opened: 'weekly', verdict: 'now', mention: 'now', expiring: 'now' }, 'opened'],
  ['POST', '/api/mail/test', { to: 'ann' }, 'to'],
  ['POST', '/api/mail/test', { to: 'ann@example.com,eve@example.com' }, 'to'],
  ...WRONG_OUTGOING_WEBHOOKS.flatMap(([part, field]): Row[] => [
    ['POST', '/api/webhooks', { ...OUTGOING_WEBHOOK, ...part }, field],
    ['PUT', '/api/webhooks/:id', { ...OUTGOING_WEBHOOK, isActive: true, ...part }, field],
  ]),
  ['PUT', '/api/webhooks/:id', OUTGOING_WEBHOOK, 'isActive'],
  ['PUT', '/api/webhooks/:id', { ...OUTGOING_WEBHOOK, isActive: 'yes' }, 'isActive'],
  ['POST', '/api/saved-views', { name: 'x' }, 'query'],
  ['POST', '/api/saved-views', { name: 'x', query: 'a\nb' }, 'query'],
  ['POST', '/api/saved-views', { name: 'x', query: 'x'.repeat(4_001) }, 'query'],
  ...WRONG_SHARES.map(([part, field]): Row => ['POST', '/api/shares', { ...SHARE, ...part }, field]),
  ...WRONG_PREVIEWS.map(([part, field]): Row => ['POST', '/api/share-preview', { ...PREVIEW, ...part }, field]),
  ...WRONG_SHARE_CHANGES.map(([part, field]): Row => ['PUT', '/api/shares/:id', part, field]),
  ...WRONG_GUEST_BODIES,
  ['POST', '/api/prints', {}, 'interviewIds'],
  ['POST', '/api/prints', { interviewIds: [] }, 'interviewIds'],
  ['POST', '/api/prints', { interviewIds: ['a', 'b', 'c', 'd', 'e'] }, 'interviewIds'],
  ...WRONG_UPLOADS.map(([part, field]): Row => ['POST', '/api/uploads', { ...UPLOAD, ...part }, field]),
  ['POST', '/api/bulk', { action: 'delete', target: { ids: ['iv_1'] } }, 'action'],
  ...WRONG_TARGETS.map(([target, field]): Row => ['POST', '/api/bulk', { action: 'archive', target }, field]),
  ...WRONG_TARGETS.map(([target, field]): Row => ['POST', '/api/bulk/check', { target }, field]),
  ['POST', '/api/bulk', { action: 'archive', target: { ids: ['iv_1'] }, existing: 'overwrite' }, 'existing'],
  ['POST', '/api/bulk', { action: 'undoDestination', target: { ids: ['iv_1'] } }, 'target'],
  ...[{}, { destinationId: 'ACME-1' }].map(
    (part): Row => [
      'POST',
      '/api/bulk',
      { action: 'setDestination', target: { ids: ['iv_1'] }, ...part },
      'destinationId',
    ],
  ),
  [
    'POST',
    '/api/bulk',
    { action: 'setDestination', target: { ids: ['iv_1'] }, destinationId: 'BUB-ACME-1', notes: 'x'.repeat(2001) },
    'notes',
  ],
];
