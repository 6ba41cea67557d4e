import type { ErrorBody, ErrorCode } from '#contracts/errors.ts';

type ErrorDetails = Pick<ErrorBody, 'matches'>;

/**
 * An error response. The user sees the message, clients branch on the code, the log has the
 * cause.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  /** Sent as the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;
  /** Fields of the response that only this code has. */
  readonly details: ErrorDetails;
  /** Fields of the log line only. */
  readonly logged: object | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { cause?: unknown; field?: string; retryAfterSeconds?: number; details?: ErrorDetails; logged?: object } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.details = more.details ?? {};
    this.logged = more.logged;
  }
}
