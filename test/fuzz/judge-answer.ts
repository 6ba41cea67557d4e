import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import type { Endpoint } from '#contracts/endpoint.ts';
import { ERROR_STATUS, ErrorBody } from '#contracts/errors.ts';
import type { FuzzAnswer } from './exchange.ts';
import type { FuzzRequest } from './fuzz-request.ts';

const STACK = /\n\s+at |node_modules|\.ts:\d+|\.mjs:\d+|FST_ERR|\berror: relation\b|syntax error at/;
/** Refusals of Node's own parser and of methods come before a route is known. */
const DELIBERATE = new Set<number>(Object.values(ERROR_STATUS).filter((status) => status !== 500));

/** What is wrong with an answer, in a sentence; null when it is as the contract says. */
export function judgeAnswer(request: FuzzRequest, answer: FuzzAnswer): string | null {
  const { status } = answer;
  if (STATUS_CODES[status] === undefined) return `status ${status} is none`;
  if (status >= 400) return judgeRefusal(request, answer);
  if (request.input === 'refused') return `a request that the contract refuses was answered ${status}`;
  return request.endpoint ? judgeSuccess(request.endpoint, answer) : null;
}

function judgeRefusal(request: FuzzRequest, answer: FuzzAnswer): string | null {
  const { status, headers, body } = answer;
  if (status === 412 && body === '') return null;
  if (!DELIBERATE.has(status)) return `status ${status} is in no list of the contracts: ${body.slice(0, 300)}`;
  if (request.method === 'HEAD') return body === '' ? null : 'a HEAD was answered with a body';
  if (status === 404 && isPage(headers)) return null;
  const parsed = ErrorBody.strict().safeParse(parseJson(body));
  if (!parsed.success) return `an error of another shape: ${status} ${body.slice(0, 300)}`;
  if (STACK.test(body)) return `an error that tells of our insides: ${body.slice(0, 500)}`;
  return judgeVerdict(request, answer);
}

const OF_THE_INPUT = [400, 413, 415];
/** Refusals that come before the input is looked at. */
const BEFORE_IT = [401, 403, 421, 429, 431, 503];

function judgeVerdict({ input, endpoint }: FuzzRequest, { status, body }: FuzzAnswer): string | null {
  if (input === 'taken' && OF_THE_INPUT.includes(status)) return `a right request was refused: ${status} ${body}`;
  if (input !== 'refused' || BEFORE_IT.includes(status)) return null;
  if (status !== 400) return `wrong input was answered ${status}, not 400: ${body}`;
  const { field } = ErrorBody.parse(parseJson(body));
  return endpoint && fieldsOf(endpoint).includes(field ?? '')
    ? null
    : `a refusal names no field that is there: ${body}`;
}

/** What a refusal may name: a field of the address or the body, or the body as a whole. */
const fieldsOf = ({ params, query, body }: Endpoint) =>
  [params, query, body].flatMap((part) => Object.keys((part as z.ZodObject | undefined)?.shape ?? {})).concat('body');

function judgeSuccess(
  endpoint: NonNullable<FuzzRequest['endpoint']>,
  { status, headers, body }: FuzzAnswer,
): string | null {
  if (status !== (endpoint.status ?? 200)) return `a success has status ${status}`;
  if (!headers['content-type']?.startsWith('application/json'))
    return `a success is of type ${headers['content-type']}`;
  const parsed = endpoint.response.safeParse(parseJson(body));
  return parsed.success ? null : `a success that does not match its schema: ${parsed.error.message}`;
}

/** The application's own 404 card. */
const isPage = (headers: FuzzAnswer['headers']) => headers['content-type']?.startsWith('text/html') ?? false;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
