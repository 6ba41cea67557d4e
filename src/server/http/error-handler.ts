import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#contracts/errors.ts';
import { AppError } from '#server/app-error.ts';
import {
  CROWDED_ADVICE,
  isCollision,
  isDatabaseCrowded,
  isDatabaseDown,
  writeProblemOf,
} from '#server/db/database-down.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

/** Caused by an attack, or by a proxy that forwards the wrong host. */
const SUSPICIOUS: ReadonlySet<ErrorCode> = new Set(['foreign_host', 'foreign_origin', 'too_many_requests']);

/** Turns every error into a response. Details of unexpected errors go to the log only. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = request.raw.errored === error ? incompleteRequest() : toAppError(error, request);
  if (known.code === 'internal') {
    request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
  } else if (known.cause !== undefined) {
    request.log.warn({ err: known, route: request.routeOptions.url }, known.message);
  } else if (SUSPICIOUS.has(known.code)) {
    const { code, logged } = known;
    request.log.warn({ code, route: request.routeOptions.url, address: request.ip, ...logged }, known.message);
  }
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));

  const body: ErrorBody = { message: known.message, code: known.code, requestId: request.id, ...known.details };
  if (known.field !== undefined) body.field = known.field;
  return reply
    .code(ERROR_STATUS[known.code])
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}

/**
 * The client's connection broke within the body. Its error has the same code as a broken database
 * connection.
 */
const incompleteRequest = () => new AppError('invalid_input', 'Incomplete request.', { field: 'body' });

function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof UpstreamError) return new AppError('upstream_failed', error.message, { cause: error });
  const unavailable = (message: string, retryAfterSeconds: number, cause = error) =>
    new AppError('unavailable', message, { cause, retryAfterSeconds });
  if (isDatabaseDown(error)) return unavailable("The database can't be reached. Try again in a moment.", 5);
  if (isDatabaseCrowded(error)) {
    const cause = new Error(CROWDED_ADVICE, { cause: error });
    return unavailable('The database has too many open connections. Try again in a moment.', 5, cause);
  }
  if (isCollision(error)) return unavailable('Someone else changed this at the same time. Try again.', 1);
  const problem = writeProblemOf(error);
  if (problem) return unavailable(`Can't save: ${WRITE_PROBLEMS[problem]}. Contact an admin.`, 30);
  return fastifyError(error, request) ?? new AppError('internal', 'Internal server error');
}

const WRITE_PROBLEMS = {
  full: 'the database disk is full',
  unwritable: 'the database is read-only or its disk failed',
} as const;

const formatSize = (bytes: number) => (bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`);

/** Fastify's error codes: https://fastify.dev/docs/latest/Reference/Errors/ */
function fastifyError(error: unknown, { routeOptions }: FastifyRequest): AppError | null {
  const { code, statusCode, message } = error as FastifyError;
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new AppError('invalid_input', 'Invalid address.');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError(
      'body_too_large',
      `The request body is too large: at most ${formatSize(routeOptions.bodyLimit)}.`,
    );
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('unsupported_media_type', 'The request body must be JSON (content-type: application/json).');
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new AppError('invalid_input', 'Request body must be JSON.', { field: 'body' });
  if (error instanceof SyntaxError && statusCode === 400)
    return new AppError('invalid_input', 'Request body is not valid JSON.', { field: 'body' });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('invalid_input', message);
  return null;
}
