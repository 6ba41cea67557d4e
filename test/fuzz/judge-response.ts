import { STATUS_CODES } from 'node:http';
import type { Endpoint } from '#contracts/endpoint.ts';
import { ERROR_STATUS, ErrorBody } from '#contracts/errors.ts';
import { fieldNames } from '#support/field-names.ts';
import type { FuzzResponse } from './exchange.ts';
import type { FuzzRequest } from './fuzz-request.ts';

const STACK = /\n\s+at |node_modules|\.ts:\d+|\.mjs:\d+|FST_ERR|\berror: relation\b|syntax error at/;
/** Also includes refusals before a route is known, by Node's parser or of a method. */
const DELIBERATE = new Set<number>(Object.values(ERROR_STATUS).filter((status) => status !== 500));

/** Returns what is wrong with a response, or null when it matches the contract. */
export function judgeResponse(request: FuzzRequest, response: FuzzResponse): string | null {
  const { status } = response;
  if (STATUS_CODES[status] === undefined) return `status ${status} does not exist`;
  if (status >= 400) return judgeRefusal(request, response);
  if (request.input === 'invalid') return `an invalid request got status ${status}`;
  return request.endpoint ? judgeSuccess(request.endpoint, response) : null;
}

function judgeRefusal(request: FuzzRequest, response: FuzzResponse): string | null {
  const { status, headers, body } = response;
  if (status === 412 && body === '') return null;
  if (!DELIBERATE.has(status)) return `status ${status} is not in the contracts: ${body.slice(0, 300)}`;
  if (request.method === 'HEAD') return body === '' ? null : 'a response to HEAD has a body';
  if (status === 404 && isPage(headers)) return null;
  const parsed = ErrorBody.strict().safeParse(parseJson(body));
  if (!parsed.success) return `an error with a different shape: ${status} ${body.slice(0, 300)}`;
  if (STACK.test(body)) return `an error that reveals internals: ${body.slice(0, 500)}`;
  return judgeVerdict(request, response);
}

const INPUT_STATUSES = [400, 413, 415];
/** Refusals that come before the input is validated. */
const EARLIER_STATUSES = [401, 403, 421, 429, 431, 503];

function judgeVerdict({ input, endpoint }: FuzzRequest, { status, body }: FuzzResponse): string | null {
  if (input === 'valid' && INPUT_STATUSES.includes(status)) return `a valid request was rejected: ${status} ${body}`;
  if (input !== 'invalid' || EARLIER_STATUSES.includes(status)) return null;
  if (status !== 400) return `invalid input got status ${status}, not 400: ${body}`;
  const { field } = ErrorBody.parse(parseJson(body));
  // `target.run` is a field of `target`.
  return endpoint && fieldsOf(endpoint).includes(field?.split('.')[0] ?? '')
    ? null
    : `a refusal does not name an existing field: ${body}`;
}

/** The fields that a refusal may name: of the URL, the body, or the body as a whole. */
const fieldsOf = ({ params, query, body }: Endpoint) =>
  [params, query, body].flatMap((part) => fieldNames(part)).concat('body');

function judgeSuccess(
  endpoint: NonNullable<FuzzRequest['endpoint']>,
  { status, headers, body }: FuzzResponse,
): string | null {
  if (status !== (endpoint.status ?? 200)) return `a success has status ${status}`;
  if (status === 204) return body === '' ? null : 'a response without content has a body';
  if (!headers['content-type']?.startsWith('application/json'))
    return `a success is of type ${headers['content-type']}`;
  const parsed = endpoint.response.safeParse(parseJson(body));
  return parsed.success ? null : `a success that does not match its schema: ${parsed.error.message}`;
}

/** The application's own 404 card. */
const isPage = (headers: FuzzResponse['headers']) => headers['content-type']?.startsWith('text/html') ?? false;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
