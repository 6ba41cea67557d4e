import { channel } from 'node:diagnostics_channel';

/**
 * What can go wrong with a service outside; all that an adapter may throw.
 * - `unauthorised`: it refuses our key or our account
 * - `not_found`: what we ask for is not there
 * - `rate_limited`: too many calls; see `retryAfterMs`
 * - `unavailable`: it cannot be reached, is too slow, or answers 5xx; trying again may help
 * - `rejected`: it understood and refuses; trying again does not help
 * - `bad_answer`: it answered something that its contract does not allow
 */
export type UpstreamErrorKind =
  | 'unauthorised'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'rejected'
  | 'bad_answer';

/** Where every failed call of a service is told, for whoever counts them (node:diagnostics_channel). */
export const UPSTREAM_ERRORS = 'interviews:upstream-error';
const failures = channel(UPSTREAM_ERRORS);

const PASSING: readonly UpstreamErrorKind[] = ['rate_limited', 'unavailable'];

export class UpstreamError extends Error {
  override name = 'UpstreamError';
  readonly service: string;
  readonly kind: UpstreamErrorKind;
  readonly retryAfterMs: number | undefined;

  /** `message` is a text that a person can act on; it carries no key and no address with a signature. */
  constructor(
    service: string,
    kind: UpstreamErrorKind,
    message: string,
    more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, { cause: more.cause });
    this.service = service;
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs;
    if (failures.hasSubscribers) failures.publish(this);
  }

  /** True when the same call may succeed later. */
  get passing(): boolean {
    return PASSING.includes(this.kind);
  }
}
