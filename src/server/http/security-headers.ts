import type { FastifyReply, FastifyRequest } from 'fastify';

const policy = (directives: Record<string, string>) =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

const NOTHING = { 'default-src': "'none'", 'base-uri': "'none'", 'form-action': "'none'", 'frame-ancestors': "'none'" };

/** Browser features that no screen uses, denied to injected scripts too. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/** For every response. Pages replace the Content-Security-Policy, assets the Cache-Control. */
const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': policy(NOTHING),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // For browsers without support for frame-ancestors.
  'x-frame-options': 'DENY',
};

/**
 * Makes browsers use HTTPS, and never HTTP, for a year (OWASP ASVS 5.0, 3.4.1). Browsers ignore the
 * header over HTTP.
 */
const COMMON_HTTPS_HEADERS = {
  ...COMMON_HEADERS,
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/** Runs first, so that refusals and errors have the headers too. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders(request.protocol === 'https'));
}

/** For responses that Fastify does not send. */
export const securityHeaders = (isHttps: boolean): Readonly<Record<string, string>> =>
  isHttps ? COMMON_HTTPS_HEADERS : COMMON_HEADERS;

/** For the page of a link: its own files, the API of links, and nothing else. */
const GUEST_PAGE = {
  ...NOTHING,
  'connect-src': "'self'",
  'font-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

export const guestPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy(GUEST_PAGE),
};

/**
 * For the application's page: no inline scripts, and no string becomes markup or script, except in
 * `parse-inert.ts`, which only reads text from it. Videos may come from the interview service while
 * no local copy exists. `fileOrigin` is where stored files come from, if not from us.
 */
export const pageHeaders = (fileOrigin = '') => ({
  'content-security-policy': policy({
    ...GUEST_PAGE,
    'img-src': `'self' data: ${fileOrigin}`.trim(),
    'media-src': `'self' blob: https: http: ${fileOrigin}`.trim(),
    // Floating elements are positioned with style attributes. Style elements stay forbidden.
    'style-src-attr': "'unsafe-inline'",
    'trusted-types': 'inert-markup',
  }),
});

/**
 * For Swagger UI, which sets style attributes, shows inline images, and adds this one style
 * element.
 */
export const API_DOCS_POLICY = policy({
  ...NOTHING,
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'script-src': "'self'",
  'style-src': "'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  'style-src-attr': "'unsafe-inline'",
});
