/** Verbatim from section 8 of the specification. */
export const NETWORK_MESSAGE = 'Network error. Please check your connection or the server might be down.';

/**
 * A failed call. `status` is 0 when no response arrived or a success broke off. `code` is one of
 * `ERROR_STATUS` when the server sent one.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly statusText: string;
  readonly details: string | undefined;
  readonly code: string | undefined;
  /** The input that the server rejected, if any. */
  readonly field: string | undefined;
  /** With `matches_changed`: the number of interviews that a filter finds now. */
  readonly matches: number | undefined;
  readonly url: string;

  constructor(failure: {
    status: number;
    statusText: string;
    message: string;
    url: string;
    details?: string | undefined;
    code?: string | undefined;
    field?: string | undefined;
    matches?: number | undefined;
    cause?: unknown;
  }) {
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
