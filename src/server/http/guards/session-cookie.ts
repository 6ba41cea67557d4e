import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBearer } from './bearer-token.ts';

/** 32 bytes in base64url. Anything else in the cookie is not looked up. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface CookieInput {
  token: string;
  /** Null: the cookie ends with the browser. */
  maxAgeSeconds: number | null;
}

export const isToken = (text: string | undefined): text is string => text !== undefined && TOKEN.test(text);

/**
 * Returns the token in the request's cookie, or null when there is none, it is malformed, or the
 * request has an API token.
 */
export function readToken(request: FastifyRequest): string | null {
  const token = request.cookies[cookieName(request)];
  return isToken(token) && readBearer(request) === null ? token : null;
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, maxAgeSeconds }: CookieInput,
): void {
  reply.setCookie(cookieName(request), token, {
    ...cookieAttributes(request),
    ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds }),
  });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookieName(request), cookieAttributes(request));
}

/**
 * Over HTTPS the name has the prefix `__Host-`: browsers then accept the cookie only if it is
 * Secure, for this host and for every path, so a neighboring host cannot plant one (RFC 6265bis,
 * 4.1.3.2). Over plain HTTP browsers refuse that name.
 */
export const hostCookie = (request: FastifyRequest, name: string) =>
  request.protocol === 'https' ? `__Host-${name}` : name;

const cookieName = (request: FastifyRequest) => hostCookie(request, 'session');

/** Behind a proxy with TRUST_PROXY set, the protocol is the forwarded one. */
export const cookieAttributes = (request: FastifyRequest) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: request.protocol === 'https',
});
