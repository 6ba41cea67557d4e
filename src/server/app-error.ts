import type { ErrorCode } from '#contracts/errors.ts';

/** Ends a request. The message is for the person, the code for the program, the cause for the log. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  /** Seconds, for answers that say when to come back. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { cause?: unknown; field?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}
