import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { readBearer } from './bearer-token.ts';
import { cutHeader } from './host.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The origins of PUBLIC_URL. */
    publicOrigins: ReadonlySet<string>;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const WEB_PROTOCOLS = new Set(['http:', 'https:']);

/**
 * Rejects changes that other sites request through a signed-in browser. Browsers report the origin
 * of a request (Fetch Metadata, W3C; Origin, RFC 6454). Over plain HTTP they send neither with a
 * GET, so a state-changing GET is rejected if it looks like a link. Other clients that send neither
 * header are not browsers and are served, as are requests with an API token: their cookies are
 * ignored, except on open routes, which read no token.
 */
export async function guardOrigin(request: FastifyRequest): Promise<void> {
  const { changesState, role = 'open' } = request.routeOptions.config;
  if (role !== 'open' && readBearer(request) !== null) return;
  const changes = changesState ?? !SAFE_METHODS.has(request.method);
  if (changes && request.headers['sec-purpose']?.includes('prefetch')) {
    throw new AppError('foreign_origin', "Prefetching isn't allowed here.");
  }
  if (changes && (!isOwnOrigin(request) || isFollowedLink(request))) {
    const message = 'This request came from another site and was rejected.';
    throw new AppError('foreign_origin', message, { logged: comparedValues(request) });
  }
}

/** The compared values. They differ if the proxy does not forward the host with its port. */
function comparedValues(request: FastifyRequest) {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return {
    origin: cutHeader(origin),
    expected: cutHeader(ownOrigin(request)),
    secFetchSite: cutHeader(site?.toString()),
  };
}

/** The origin for links to our pages: the first one of PUBLIC_URL, or the one of this request. */
export const publicOrigin = (request: FastifyRequest): string => {
  const [first] = request.server.publicOrigins;
  return first ?? ownOrigin(request);
};

const ownOrigin = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}`;

/**
 * True for a GET that a browser without Fetch Metadata sends for a link, a form or another site.
 */
function isFollowedLink(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (!SAFE_METHODS.has(method) || headers['sec-fetch-site'] !== undefined) return false;
  if (headers['upgrade-insecure-requests'] !== undefined || headers.accept?.includes('text/html')) return true;
  const { referer } = headers;
  return referer !== undefined && !isSameOrigin(URL.parse(referer), URL.parse(ownOrigin(request)));
}

/**
 * True for requests of our own pages and of clients that do not report an origin. A page at an
 * origin of PUBLIC_URL is ours even if the proxy forwards the host without its port.
 */
export function isOwnOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = request.headers;
  if (origin === undefined || request.server.publicOrigins.has(origin)) return true;
  return isSameOrigin(URL.parse(origin), URL.parse(ownOrigin(request)));
}

/**
 * When we are reached over HTTPS, a page over HTTP is foreign, because it could have been modified
 * on its way. An HTTPS page is accepted over HTTP too: a proxy may terminate TLS without
 * TRUST_PROXY.
 */
function isSameOrigin(origin: URL | null, own: URL | null): boolean {
  if (origin === null || own === null || origin.host !== own.host) return false;
  if (!WEB_PROTOCOLS.has(origin.protocol)) return false;
  return own.protocol !== 'https:' || origin.protocol === 'https:';
}
