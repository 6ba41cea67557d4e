import type { FastifyReply, FastifyRequest } from 'fastify';

const policy = (directives: Record<string, string>) =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

const NOTHING = { 'default-src': "'none'", 'base-uri': "'none'", 'form-action': "'none'", 'frame-ancestors': "'none'" };

/** Features that no screen uses; a script that somebody smuggled in gets none of them either. */
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

/** What stands on every answer: it is for this origin alone, is what its type says, and is no page unless it says so itself. */
const EVERYWHERE = {
  'content-security-policy': policy(NOTHING),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
};

/** A browser that was here over HTTPS comes back over nothing else for a year (OWASP ASVS 5.0, 3.4.1). Over HTTP it would ignore this. */
const HSTS = 'max-age=31536000; includeSubDomains';

/** Sets them before anything else looks at the request, so that refusals and errors carry them too. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(EVERYWHERE);
  if (request.protocol === 'https') reply.header('strict-transport-security', HSTS);
}

/**
 * For the page of the application: no inline script, and no string becomes markup or script, except where `web/lib/parse-inert.ts`
 * reads texts out of it. Videos and thumbnails may come from the interview service itself while no local copy exists.
 */
export const PAGE_HEADERS = {
  'content-security-policy': policy({
    ...NOTHING,
    'connect-src': "'self'",
    'font-src': "'self'",
    'img-src': "'self' data: https: http:",
    'media-src': "'self' blob: https: http:",
    'script-src': "'self'",
    'style-src': "'self'",
    // Floating elements are placed by style attributes; style elements stay forbidden.
    'style-src-attr': "'unsafe-inline'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'inert-markup',
  }),
};

/** For the API documentation, whose program writes style attributes, shows pictures of its own, and adds this one style element. */
export const API_DOCS_HEADERS = {
  'content-security-policy': policy({
    ...NOTHING,
    'connect-src': "'self'",
    'img-src': "'self' data:",
    'script-src': "'self'",
    'style-src': "'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
    'style-src-attr': "'unsafe-inline'",
  }),
};
