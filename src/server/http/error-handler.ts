import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#contracts/errors.ts';
import { AppError } from '../app-error.ts';
import { CROWDED_ADVICE, isCollision, isDatabaseCrowded, isDatabaseDown, writeTrouble } from '../db/database-down.ts';
import { UpstreamError } from '../ports/upstream-error.ts';

/** Refusals that an attack brings about, or a proxy that forwards the wrong host. */
const SUSPICIOUS: ReadonlySet<ErrorCode> = new Set(['foreign_host', 'foreign_origin', 'too_many_requests']);

/** The one place where an error becomes an answer. Unexpected ones say nothing of themselves to the client and everything to the log. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = request.raw.errored === error ? cutOff() : asAppError(error);
  if (known.code === 'internal') {
    request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
  } else if (known.cause !== undefined) {
    request.log.warn({ err: known, route: request.routeOptions.url }, known.message);
  } else if (SUSPICIOUS.has(known.code)) {
    request.log.warn({ code: known.code, route: request.routeOptions.url, address: request.ip }, known.message);
  }
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));

  const body: ErrorBody = { message: known.message, code: known.code, requestId: request.id };
  if (known.field !== undefined) body.field = known.field;
  return reply
    .code(ERROR_STATUS[known.code])
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}

/** The connection broke within the body. Its error looks like that of a connection to the database, and nobody hears the answer. */
const cutOff = () => new AppError('invalid_input', 'The request ended before its body was whole.', { field: 'body' });

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof UpstreamError) return new AppError('upstream_failed', error.message, { cause: error });
  if (isDatabaseDown(error)) {
    return new AppError('unavailable', 'The database cannot be reached. Please try again in a moment.', {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
  if (isDatabaseCrowded(error)) {
    return new AppError('unavailable', 'The database has too many connections open. Please try again in a moment.', {
      cause: new Error(CROWDED_ADVICE, { cause: error }),
      retryAfterSeconds: 5,
    });
  }
  if (isCollision(error)) {
    return new AppError('unavailable', 'Somebody else changed the same at this moment. Please try again.', {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  const trouble = writeTrouble(error);
  if (trouble) {
    const message = `Nothing can be saved at the moment: ${WRITE_TROUBLES[trouble]}. Please tell an administrator.`;
    return new AppError('unavailable', message, { cause: error, retryAfterSeconds: 30 });
  }
  return fromFastify(error) ?? new AppError('internal', 'Internal server error');
}

const WRITE_TROUBLES = {
  full: 'the disk of the database is full',
  unwritable: 'the database cannot be written',
} as const;

/** Fastify's own refusals, by its error codes (https://fastify.dev/docs/latest/Reference/Errors/). */
function fromFastify(error: unknown): AppError | null {
  const { code, statusCode, message } = error as FastifyError;
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new AppError('invalid_input', 'This address cannot be read.');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError('body_too_large', 'The request body is too large: at most 2 MB.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('unsupported_media_type', 'The request body must be JSON (content-type: application/json).');
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new AppError('invalid_input', 'body is empty; it must be JSON.', { field: 'body' });
  if (error instanceof SyntaxError && statusCode === 400)
    return new AppError('invalid_input', 'body is not valid JSON.', { field: 'body' });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('invalid_input', message);
  return null;
}
