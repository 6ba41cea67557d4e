import type { FastifyRequest } from 'fastify';

/** Sent with 401 (RFC 6750, section 3). */
export const BEARER_CHALLENGE = 'Bearer realm="api"';

/**
 * Returns the text after `Bearer` in the Authorization header, which may be empty, or null without
 * such a header. With the header, cookies are ignored even if the token is wrong.
 */
export function readBearer({ headers }: FastifyRequest): string | null {
  const { authorization = '' } = headers;
  return /^bearer(?![\w-])/i.test(authorization) ? authorization.slice('bearer'.length).trimStart() : null;
}
