import { channel } from 'node:diagnostics_channel';
import { maskSecrets } from './sent-secrets.ts';

/**
 * - `unauthorised`: the service rejects our key or account
 * - `not_found`: the requested object does not exist
 * - `rate_limited`: too many calls; see `retryAfterMs`
 * - `unavailable`: the service cannot be reached, is too slow, or returns 5xx; may be transient
 * - `rejected`: the service rejects the request and would do so again
 * - `bad_response`: the response violates the service's contract
 */
export type UpstreamErrorKind =
  | 'unauthorised'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'rejected'
  | 'bad_response';

const RETRYABLE: readonly UpstreamErrorKind[] = ['rate_limited', 'unavailable'];

interface UpstreamErrorOptions {
  cause?: unknown;
  retryAfterMs?: number | undefined;
}

/** A call of an outside service failed. */
export class UpstreamError extends Error {
  override name = 'UpstreamError';
  readonly service: string;
  readonly kind: UpstreamErrorKind;
  readonly retryAfterMs: number | undefined;

  /**
   * `message` is for users and names the next step. It contains no signed URL, and secrets that
   * were sent are masked.
   */
  constructor(service: string, kind: UpstreamErrorKind, message: string, more: UpstreamErrorOptions = {}) {
    super(maskSecrets(message), { cause: more.cause });
    this.service = service;
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs;
  }

  /** True when the same call may succeed later. */
  get isRetryable(): boolean {
    return RETRYABLE.includes(this.kind);
  }
}

/** The kind in logs and metrics, where `bad_response` keeps the name that monitoring knows. */
export const reportedKind = <Kind>(kind: Kind) => (kind === 'bad_response' ? 'bad_answer' : kind);

/** Returns a function that creates the errors of one service. */
export const upstreamErrorsOf =
  (service: string) =>
  (kind: UpstreamErrorKind, message: string, more?: UpstreamErrorOptions): UpstreamError =>
    new UpstreamError(service, kind, message, more);

/** The diagnostics channel of failed calls, which the metrics count (node:diagnostics_channel). */
export const UPSTREAM_ERRORS = 'interviews:upstream-error';
const failedCalls = channel(UPSTREAM_ERRORS);

/** Adapters report each failed attempt of a call. Ignores other errors. */
export function reportFailedCall(error: unknown): void {
  if (error instanceof UpstreamError && failedCalls.hasSubscribers) failedCalls.publish(error);
}
