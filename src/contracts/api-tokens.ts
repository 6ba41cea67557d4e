import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, Moment, RowPath, visibleLine } from './fields.ts';
import { MAX_TOKEN_NAME_LENGTH } from './rules/limits.ts';
import { SCOPES } from './rules/roles.ts';

const SCOPE_RULE = `must be one or more of ${SCOPES.join(', ')}`;

export const NewApiToken = z.object({
  name: visibleLine(MAX_TOKEN_NAME_LENGTH),
  /**
   * The kinds of calls that the token allows, within its account's rights. No scope includes
   * another.
   */
  scopes: z
    .array(z.enum(SCOPES, SCOPE_RULE), SCOPE_RULE)
    .min(1, SCOPE_RULE)
    .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope))),
  /** In the future, at most 365 days from now. */
  expiresAt: Moment,
});

export const ApiToken = z.object({
  id: z.int(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  /** The first characters of the token, to recognize it. */
  prefix: z.string(),
  expiresAt: Moment,
  createdAt: Moment,
  /** Accurate to a minute. Null: the token has never been used. */
  lastUsedAt: Moment.nullable(),
  /** The address, or IPv6 network, of the last use. */
  lastUsedAddress: z.string().nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

/** Only this call returns `token`. */
export const CreatedApiToken = ApiToken.pick({ id: true, name: true, scopes: true, expiresAt: true }).extend({
  token: z.string(),
});
export type CreatedApiToken = z.infer<typeof CreatedApiToken>;

export const listApiTokens = endpoint({
  method: 'GET',
  path: '/api/tokens',
  summary: 'The API tokens of the signed-in account, the newest first',
  role: 'reviewer',
  scope: null,
  response: z.array(ApiToken),
});

export const createApiToken = endpoint({
  method: 'POST',
  path: '/api/tokens',
  summary: 'Creates an API token and returns it; no later call shows it again',
  role: 'reviewer',
  scope: null,
  status: 201,
  body: NewApiToken,
  response: CreatedApiToken,
});

export const revokeApiToken = endpoint({
  method: 'DELETE',
  path: '/api/tokens/:id',
  summary: "Revokes an API token immediately; administrators can revoke any account's tokens",
  role: 'reviewer',
  scope: null,
  params: RowPath,
  response: MessageResponse,
});

export const listAccountTokens = endpoint({
  method: 'GET',
  path: '/api/accounts/:id/tokens',
  summary: 'The API tokens of an account, the newest first',
  role: 'administrator',
  scope: null,
  params: RowPath,
  response: z.array(ApiToken),
});
