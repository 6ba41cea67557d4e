import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from './session-token.ts';

/**
 * Over HTTPS the name carries the prefix `__Host-`: browsers then accept it only Secure, for this host alone and for every path, so
 * that no neighbouring host can plant one (RFC 6265bis, 4.1.3.2). Over plain HTTP they would refuse that name.
 */
const nameFor = (request: FastifyRequest) => (request.protocol === 'https' ? '__Host-session' : 'session');

/** The token that the request carries; null when there is none, or something that cannot be one. */
export function readToken(request: FastifyRequest): string | null {
  const token = request.cookies[nameFor(request)];
  return isToken(token) ? token : null;
}

export interface SessionCookie {
  token: string;
  /** Null: the cookie ends with the browser. */
  maxAgeSeconds: number | null;
}

/** A remembered session's cookie lives as long as the session does now, any other ends with the browser. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, maxAgeSeconds }: SessionCookie,
): void {
  reply.setCookie(nameFor(request), token, {
    ...attributesFor(request),
    ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds }),
  });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(nameFor(request), attributesFor(request));
}

/** Behind a proxy the protocol is the forwarded one, when TRUST_PROXY says so. */
const attributesFor = (request: FastifyRequest) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: request.protocol === 'https',
});
