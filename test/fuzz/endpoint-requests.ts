import fc from 'fast-check';
import type { z } from 'zod';
import { acceptInvitation, inviteAccount, updateAccount } from '#contracts/accounts.ts';
import { createApiToken } from '#contracts/api-tokens.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { recordPrinting } from '#contracts/exports.ts';
import { createOutgoingWebhook, updateOutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import { saveReview } from '#contracts/reviews.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import { changePassword, confirmIdentity } from '#contracts/session.ts';
import { createShares, decideShared, getShareDefaults, previewShare, updateShare } from '#contracts/shares.ts';
import { fieldNames } from '#support/field-names.ts';
import { CHANGER, type FuzzRequest, type Identity, type KnownIds } from './fuzz-request.ts';
import { hostileEncoding, hostileJson, hostileText, hostileValue, MAX_URL_TEXT_LENGTH } from './hostile-values.ts';
import { oddContentType, oddHeaders } from './odd-headers.ts';
import { validInput } from './valid-input.ts';

/** Endpoints that require the password of the signed-in account, or a code. */
const CREDENTIAL_PATHS = [
  changePassword,
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
].map(({ path }) => path as string);

/**
 * Endpoints that compare their input with stored data or the time: a password, a code, the funnels,
 * common passwords, a pending identity, a scorecard, when a link expires, or which hosts are
 * allowed.
 */
const COMPARING_PATHS = [
  ...CREDENTIAL_PATHS,
  ...[inviteAccount, updateAccount, acceptInvitation, createApiToken, confirmIdentity, saveReview].map(
    ({ path }) => path as string,
  ),
  ...[createShares, updateShare, previewShare, createOutgoingWebhook, updateOutgoingWebhook].map(
    ({ path }) => path as string,
  ),
];

/** The password after a change; the next batch restores the former one. */
const CHANGED_PASSWORD = 'something else entirely';

const DAY_MS = 86_400_000;
/** When a link may expire: within 180 days. */
const SOON = new Date(Date.now() + DAY_MS).toISOString();

type Fields = Record<string, unknown>;
type Pairs = [name: string, value: string][];

const JSON_TYPE: FuzzRequest['headers'] = [['content-type', 'application/json']];

/**
 * Generates requests to one endpoint: valid ones, ones with a single fault, and entirely hostile
 * ones.
 */
export function requestsTo(endpoint: Endpoint, known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const any = fc.oneof(
    { weight: 5, arbitrary: validRequest(endpoint, known) },
    { weight: 3, arbitrary: nearlyValid(endpoint, known) },
    { weight: 2, arbitrary: hostileRequest(endpoint, known) },
  );
  // Whether this input is accepted does not depend on the contract alone.
  return COMPARING_PATHS.includes(endpoint.path)
    ? any.map((request) => (request.input === 'valid' ? { ...request, input: 'either' } : request))
    : any;
}

const base = (endpoint: Endpoint): Pick<FuzzRequest, 'method' | 'identity' | 'endpoint'> => ({
  method: endpoint.method,
  identity: identityFor(endpoint),
  endpoint,
});

/**
 * Endpoints that end a session get their own account, so that the other requests stay signed in.
 */
const identityFor = ({ path }: Endpoint): Identity => IDENTITIES[path] ?? (path.startsWith('/s/') ? 'guest' : 'staff');
const IDENTITIES: Record<string, Identity> = {
  '/api/login': 'leaver',
  '/api/login/password': 'anonymous',
  '/api/login/second-factor': 'anonymous',
  '/api/login/second-factor/secret': 'anonymous',
  '/api/logout': 'leaver',
  '/api/user/devices/:id': 'leaver',
  '/api/logout/everywhere': 'leaver',
  ...Object.fromEntries(CREDENTIAL_PATHS.map((path) => [path, 'changer' as const])),
};

function validRequest(endpoint: Endpoint, known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const parts = fc.record({
    path: validPath(endpoint, known),
    query: queryOf(endpoint, known),
    body: bodyOf(endpoint, known),
  });
  return parts.map(({ path, query, body }) => ({
    ...base(endpoint),
    target: withQuery(path, pairsOf(query as Fields)),
    ...jsonBody(body),
    input: 'valid',
  }));
}

function queryOf({ query, path }: Endpoint, known: KnownIds): fc.Arbitrary<unknown> {
  if (path === getShareDefaults.path) return fc.record({ interviewId: fc.constantFrom(...known.interviews) });
  return query ? validInput(query) : fc.constant({});
}

/** Puts a fault into one part. The contract decides whether the fault matters. */
function nearlyValid(endpoint: Endpoint, known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const valid = validRequest(endpoint, known);
  const faults: fc.Arbitrary<FuzzRequest>[] = [
    fc.tuple(valid, oddHeaders).map(([request, headers]) => ({
      ...request,
      headers: [...request.headers, ...headers],
      input: 'either' as const,
    })),
    fc
      .tuple(valid, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'))
      .map(([request, method]) => ({ ...request, method, endpoint: null, input: 'either' as const })),
    valid.map((request) => ({ ...request, identity: 'anonymous' as const, input: 'either' as const })),
  ];
  if (endpoint.body) faults.push(faultyBody(valid, endpoint.body), faultyBody(valid, endpoint.body), wrongType(valid));
  if (endpoint.query) faults.push(faultyQuery(valid, endpoint.query));
  if (endpoint.params) faults.push(faultyPath(valid, endpoint));
  return fc.oneof(...faults);
}

function hostileRequest(endpoint: Endpoint, known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const parts = fc.record({
    path: fc.oneof(validPath(endpoint, known), hostilePath(endpoint)),
    query: fc.oneof(fc.constant(''), hostileQuery(endpoint)),
    body: fc.option(hostileJson, { nil: undefined }),
    type: oddContentType,
    odd: oddHeaders,
  });
  return parts.map(({ path, query, body, type, odd }) => ({
    ...base(endpoint),
    target: query === '' ? path : `${path}?${query}`,
    headers: [...(body === undefined ? [] : ([['content-type', type]] as FuzzRequest['headers'])), ...odd],
    body,
    input: 'either',
  }));
}

/** Values that pass comparisons with stored data or the time. */
const ACCEPTED_FIELDS: Record<string, (known: KnownIds) => Fields> = {
  [inviteAccount.path]: () => ({ allFunnels: true, funnelIds: [] }),
  [updateAccount.path]: () => ({ allFunnels: true, funnelIds: [] }),
  [createApiToken.path]: () => ({ expiresAt: SOON }),
  [createOutgoingWebhook.path]: () => ({ url: 'http://127.0.0.1:9/events' }),
  [updateOutgoingWebhook.path]: () => ({ url: 'http://127.0.0.1:9/events' }),
  [createShares.path]: sharedSoon,
  [previewShare.path]: sharedSoon,
  [decideShared.path]: () => ({ n: 1 }),
  [recordPrinting.path]: ({ interviews }) => ({ interviewIds: interviews.slice(0, 2) }),
  [saveReview.path]: () => ({ ratings: {}, recommendation: 3, submit: true }),
};

function sharedSoon({ interviews }: KnownIds): Fields {
  return { interviewIds: interviews.slice(0, 2), expiresAt: SOON, send: false };
}

function bodyOf({ body, path }: Endpoint, known: KnownIds): fc.Arbitrary<unknown> {
  if (!body) return fc.constant(undefined);
  // Each password check takes 19 MiB and much time; the throttle refuses most of them.
  if (path === '/api/login')
    return fc.oneof(
      { weight: 1, arbitrary: validInput(body) },
      { weight: 1, arbitrary: fc.constant({ username: 'admin', password: 'admin123' }) },
    );
  if (path === '/api/user/password')
    return fc.oneof(
      { weight: 1, arbitrary: validInput(body) },
      {
        weight: 4,
        arbitrary: fc.constant({ currentPassword: CHANGER.password, newPassword: CHANGED_PASSWORD }),
      },
    );
  if (CREDENTIAL_PATHS.includes(path))
    return validInput(body).chain((valid) =>
      fc.constantFrom(
        valid,
        { ...(valid as Fields), currentPassword: CHANGER.password },
        { ...(valid as Fields), currentPassword: CHANGED_PASSWORD },
      ),
    );
  if (path === acceptInvitation.path) return fc.oneof(validInput(body), fc.constant({ newPassword: CHANGED_PASSWORD }));
  if (path === updateShare.path)
    return fc.oneof(validInput(body), fc.constantFrom({ expiresAt: SOON }, { closed: false }));
  const accepted = ACCEPTED_FIELDS[path];
  if (!accepted) return validInput(body);
  return validInput(body).chain((valid) => fc.constantFrom(valid, { ...(valid as Fields), ...accepted(known) }));
}

/** Returns no header and no body for a call without a body. */
function jsonBody(body: unknown): Pick<FuzzRequest, 'headers' | 'body'> {
  return body === undefined ? { headers: [] } : { headers: [...JSON_TYPE], body: JSON.stringify(body) };
}

/** The parameters of a path: `:id` or `:token`. All get the same value. */
const PARAMETER = /:\w+/g;

/** Ids that log entries, devices and others may have. */
const SMALL_IDS = [1, 2, 3, 4, 5];

function existingIds(path: string, method: string, known: KnownIds): readonly (string | number)[] {
  const rooms: Record<string, readonly (string | number)[]> = {
    '/api/funnels': method === 'DELETE' ? known.disposableFunnels : known.funnels,
    '/api/interviews': known.interviews,
    '/api/accounts': known.accounts,
    '/api/comments': known.comments,
    '/api/shares': known.shares,
    '/api/invitations': known.invitations,
    '/s': known.links,
  };
  const room = Object.keys(rooms).find((start) => path.startsWith(`${start}/`));
  return (room && rooms[room]) || SMALL_IDS;
}

function validPath({ method, path, params }: Endpoint, known: KnownIds): fc.Arbitrary<string> {
  if (!params) return fc.constant(path);
  const ids = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...existingIds(path, method, known)) },
    {
      weight: 1,
      arbitrary: validInput(params).map((valid) => Object.values(valid as Record<string, string | number>)[0] ?? ''),
    },
  );
  return ids
    .filter((id) => isOneSegment(String(id)))
    .map((id) => path.replace(PARAMETER, () => encodeURIComponent(id)));
}

/** URL parsers treat `.` and `..` as steps in a path and cannot encode lone surrogates. */
const isOneSegment = (id: string) => id !== '.' && id !== '..' && id.isWellFormed();

const hostilePath = ({ path, params }: Endpoint) =>
  params
    ? hostileEncoding.map((id) => path.replace(PARAMETER, () => id))
    : hostileEncoding.map((tail) => `${path}${tail}`);

const hostileQuery = ({ query }: Endpoint): fc.Arbitrary<string> => {
  const names = query ? fieldNames(query) : ['q'];
  const name = fc.oneof(fc.constantFrom(...names), fc.constantFrom('__proto__', 'constructor', 'a[b]', 'a[]', ''));
  const pair = fc.tuple(name, hostileEncoding).map(([key, value]) => `${key}=${value.replaceAll('#', '')}`);
  return fc.array(pair, { minLength: 1, maxLength: 5 }).map((pairs) => pairs.join('&'));
};

function faultyBody(valid: fc.Arbitrary<FuzzRequest>, schema: z.ZodType): fc.Arbitrary<FuzzRequest> {
  const shape = fieldNames(schema);
  const change = fc.record({
    field: fc.oneof(fc.constantFrom(...shape), fc.constantFrom('__proto__', 'constructor', 'prototype', 'extra')),
    value: fc.option(hostileValue, { nil: undefined }),
  });
  return fc.tuple(valid, change).map(([request, { field, value }]) => {
    // `Object.fromEntries` creates `__proto__` as an ordinary field, like JSON.
    const fields = Object.entries(JSON.parse(request.body ?? '{}') as Fields).filter(([name]) => name !== field);
    const changed = Object.fromEntries(value === undefined ? fields : [...fields, [field, value]]);
    const body = JSON.stringify(changed);
    return { ...request, body, input: verdictOnBody(schema, body) };
  });
}

/**
 * Before the schema runs, Fastify refuses names that pollute prototypes, and a NUL character is
 * refused with its field.
 */
function verdictOnBody(schema: z.ZodType, body: string): FuzzRequest['input'] {
  if (/__proto__|prototype|\\u0000/.test(body)) return 'either';
  return schema.safeParse(JSON.parse(body)).success ? 'valid' : 'invalid';
}

const wrongType = (valid: fc.Arbitrary<FuzzRequest>) =>
  fc.tuple(valid, oddContentType).map(([request, type]) => ({
    ...request,
    headers: [['content-type', type]] as FuzzRequest['headers'],
    input: 'either' as const,
  }));

function faultyQuery(valid: fc.Arbitrary<FuzzRequest>, schema: z.ZodType): fc.Arbitrary<FuzzRequest> {
  const name = fc.constantFrom(...fieldNames(schema));
  return fc.tuple(valid, name, hostileText).map(([request, field, value]) => {
    const [path = '', query = ''] = request.target.split('?');
    const pairs = [...new URLSearchParams(query)];
    const text = value.slice(0, MAX_URL_TEXT_LENGTH).toWellFormed();
    return {
      ...request,
      target: withQuery(path, [...pairs, [field, text]]),
      input: verdictOnQuery(schema, pairs, [field, text]),
    };
  });
}

function verdictOnQuery(schema: z.ZodType, pairs: Pairs, added: Pairs[number]): FuzzRequest['input'] {
  const fields: Record<string, string | string[]> = {};
  for (const [name, value] of [...pairs, added]) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  if (added[1].includes('\0')) return 'invalid';
  return schema.safeParse(fields).success ? 'valid' : 'invalid';
}

const faultyPath = (valid: fc.Arbitrary<FuzzRequest>, endpoint: Endpoint) =>
  fc.tuple(valid, hostileEncoding).map(([request, id]) => ({
    ...request,
    target: request.target.replace(/^[^?]*/, () => endpoint.path.replace(PARAMETER, () => id)),
    input: 'either' as const,
  }));

const pairsOf = (query: Fields): Pairs =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): Pairs[number] => [name, String(item).toWellFormed()]),
  );

const withQuery = (path: string, pairs: Pairs) => (pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`);
