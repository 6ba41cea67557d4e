import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changes that other sites request through a signed-in browser. Browsers report the origin
 * of a request (Fetch Metadata, W3C; Origin, RFC 6454). Over plain HTTP they send neither with a
 * GET, so a state-changing GET is refused if it looks like a link. Other clients that send neither
 * header are not browsers and are served.
 */
export async function guardOrigin(request: FastifyRequest): Promise<void> {
  const changes = request.routeOptions.config.changesState ?? !SAFE_METHODS.has(request.method);
  if (changes && request.headers['sec-purpose']?.includes('prefetch')) {
    throw new AppError('foreign_origin', "Prefetching isn't allowed here.");
  }
  if (changes && (!isOwnOrigin(request) || isFollowedLink(request))) {
    throw new AppError('foreign_origin', 'This request came from another site and was refused.');
  }
}

/**
 * True for a GET that a browser without Fetch Metadata sends for a link, a form or another site.
 */
function isFollowedLink({ method, headers, protocol, host }: FastifyRequest): boolean {
  if (!SAFE_METHODS.has(method) || headers['sec-fetch-site'] !== undefined) return false;
  if (headers['upgrade-insecure-requests'] !== undefined || headers.accept?.includes('text/html')) return true;
  const { referer } = headers;
  return referer !== undefined && !isSameOrigin(URL.parse(referer), URL.parse(`${protocol}://${host}`));
}

/** True for requests of our own pages and of clients that do not report an origin. */
export function isOwnOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = request.headers;
  return origin === undefined || isSameOrigin(URL.parse(origin), URL.parse(`${request.protocol}://${request.host}`));
}

/**
 * When we are reached over HTTPS, a page over HTTP is foreign, because it could have been modified
 * on its way. An HTTPS page is accepted over HTTP too: a proxy may terminate TLS without
 * TRUST_PROXY.
 */
function isSameOrigin(origin: URL | null, own: URL | null): boolean {
  if (origin === null || own === null || origin.host !== own.host) return false;
  return own.protocol !== 'https:' || origin.protocol === 'https:';
}
