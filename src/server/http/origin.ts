import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that another site asks for through a signed-in browser. Browsers tell where a request comes from
 * (Fetch Metadata, W3C; Origin, RFC 6454); a client that sends neither header is no browser and is served.
 */
export async function guardOrigin(request: FastifyRequest): Promise<void> {
  const changes = request.routeOptions.config.changesState ?? !SAFE_METHODS.has(request.method);
  if (changes && request.headers['sec-purpose']?.includes('prefetch')) {
    throw new AppError('foreign_origin', 'This request was made in advance and was refused.');
  }
  if (changes && !isOwnOrigin(request)) {
    throw new AppError('foreign_origin', 'This request came from another site and was refused.');
  }
}

/** True when the request comes from our own pages, or from a client that says nothing of where it comes from. */
export function isOwnOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = request.headers;
  return origin === undefined || isSameOrigin(URL.parse(origin), URL.parse(`${request.protocol}://${request.host}`));
}

/**
 * A page over HTTP is not ours once we are reached over HTTPS: anybody on its way may have written it. The other way round nothing can be
 * said, since a proxy may speak HTTPS for us without TRUST_PROXY.
 */
function isSameOrigin(origin: URL | null, own: URL | null): boolean {
  if (origin === null || own === null || origin.host !== own.host) return false;
  return own.protocol !== 'https:' || origin.protocol === 'https:';
}
