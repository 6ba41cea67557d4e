import type { ErrorCode } from '#contracts/errors.ts';

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
  /** With `matches_changed`: the number of interviews that the filter finds now. */
  readonly matches: number | undefined;
  /** Fields of the log line only. */
  readonly logged: object | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { cause?: unknown; field?: string; retryAfterSeconds?: number; matches?: number; logged?: object } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.matches = more.matches;
    this.logged = more.logged;
  }
}
