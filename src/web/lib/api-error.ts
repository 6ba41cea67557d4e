import type { ErrorCode } from '#contracts/errors.ts';

/** Verbatim from section 8 of the specification. */
export const NETWORK_MESSAGE = 'Network error. Please check your connection or the server might be down.';

/** A failed call. `status` is 0 when no response arrived or a success broke off. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly statusText: string;
  readonly details: string | undefined;
  readonly code: ErrorCode | undefined;
  /** The input that the server rejected, if any. */
  readonly field: string | undefined;
  /** With `matches_changed`: the number of interviews that a filter finds now. */
  readonly matches: number | undefined;
  readonly url: string;

  constructor(
    failure: Pick<ApiError, 'status' | 'statusText' | 'message' | 'url'> &
      Partial<Pick<ApiError, 'details' | 'code' | 'field' | 'matches' | 'cause'>>,
  ) {
    super(failure.message, { cause: failure.cause });
    this.status = failure.status;
    this.statusText = failure.statusText;
    this.details = failure.details;
    this.code = failure.code;
    this.field = failure.field;
    this.matches = failure.matches;
    this.url = failure.url;
  }
}
