import { z } from 'zod';

/** Every error code with its HTTP status. Programs branch on the code; the message is for users. */
export const ERROR_STATUS = {
  invalid_input: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  second_factor_required: 401,
  second_factor_setup_required: 401,
  password_change_required: 401,
  wrong_code: 401,
  foreign_origin: 403,
  /** The role of the account, or the scopes of the API token, do not include this call. */
  forbidden: 403,
  not_found: 404,
  request_timeout: 408,
  conflict: 409,
  text_changed: 409,
  matches_changed: 409,
  sync_running: 409,
  no_active_funnel: 409,
  step_running: 409,
  step_done: 409,
  not_configured: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  foreign_host: 421,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The body of every failure. The specification's client shows `error` (details) in parentheses. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  error: z.string().optional(),
  field: z.string().optional(),
  /** Only with `matches_changed`: the number of interviews that the filter finds now. */
  matches: z.int().optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
