import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SignOnRefusal } from '#contracts/rules/sign-on-refusals.ts';
import { confirmIdentity } from '#contracts/session.ts';
import { AppError } from '#server/app-error.ts';
import { originOf } from '#server/features/session/session.routes.ts';
import type { App } from '#server/http/app.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { publicOrigin } from '#server/http/guards/origin.ts';
import { cookieAttributes, hostCookie, setSessionCookie } from '#server/http/guards/session-cookie.ts';
import { route } from '#server/http/route.ts';
import type { Oidc } from './oidc.ts';
import { STATE_LIFETIME_MS } from './sealed-state.ts';

const OPEN = { role: 'open', scope: null } as const;
const described = (summary: string) => ({ summary, tags: ['Session'] });
const ATTEMPT_COOKIE = 'single-sign-on';
const PENDING_COOKIE = 'pending-identity';
const CALLBACK = '/api/login/oidc/callback';
const MAX_LOGOUT_TOKEN_BYTES = 32 * 1024;
const FORM_ONLY = 'logout_token must come in a form (content-type: application/x-www-form-urlencoded).';

/**
 * The cookie also contains the checks of the sign-in, and browsers limit it to about 4,000
 * characters.
 */
const MAX_PATH_LENGTH = 1_500;
const StartQuery = z.object({
  to: z
    .string()
    .default('/')
    .transform(localPath)
    .refine((path) => path !== null, { error: 'must be a path of this site, such as /funnels', abort: true })
    .refine((path) => path.length <= MAX_PATH_LENGTH, { error: `may have at most ${MAX_PATH_LENGTH} characters` }),
});

/** Returns the normalized path, or null for a URL of another site. */
function localPath(text: string): string | null {
  const base = 'http://here.invalid';
  const url = text.startsWith('/') ? URL.parse(text, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
}

/** @param oidc null: the endpoints report that single sign-on is not set up */
export function oidcRoutes(app: App, oidc: Oidc | null): void {
  signOnRoutes(app, oidc);
  backChannelRoute(app, oidc);
  route(app, confirmIdentity, async ({ body }, { request, reply }) => {
    const sealed = request.cookies[hostCookie(request, PENDING_COOKIE)];
    const { user, cookie } = await configured(oidc).confirmation.confirm(body, sealed, originOf(request));
    clearState(request, reply, PENDING_COOKIE);
    setSessionCookie(request, reply, cookie);
    return user;
  });
}

/** Browsers open both URLs. The state in the cookie ties the second to the first. */
function signOnRoutes(app: App, oidc: Oidc | null): void {
  app.route<{ Querystring: z.output<typeof StartQuery> }>({
    method: 'GET',
    url: '/api/login/oidc',
    exposeHeadRoute: false,
    config: OPEN,
    schema: { ...described('Sends the browser to the provider of single sign-on'), querystring: StartQuery },
    handler: async (request, reply) => {
      const { signOn } = configured(oidc);
      const origin = publicOrigin(request);
      // The cookie of the attempt belongs to the host that the provider sends the browser back to.
      if (isOtherOwnHost(request, origin)) return reply.redirect(origin + request.url);
      const redirectUri = new URL(CALLBACK, origin).href;
      const begun = await signOn.begin(redirectUri, request.query.to ?? '/', clientAddress(request));
      if (begun.kind === 'refused') return refuse(reply, begun.reason);
      setState(request, reply, ATTEMPT_COOKIE, begun.attempt);
      return reply.redirect(begun.url.href);
    },
  });

  app.route({
    method: 'GET',
    url: CALLBACK,
    exposeHeadRoute: false,
    config: OPEN,
    schema: described('Signs in the person whom the provider sends back'),
    handler: async (request, reply) => {
      const parameters = new URL(request.url, 'http://here.invalid').searchParams;
      const sealed = request.cookies[hostCookie(request, ATTEMPT_COOKIE)];
      const outcome = await configured(oidc).signOn.finish(parameters, sealed, originOf(request));
      clearState(request, reply, ATTEMPT_COOKIE);
      if (outcome.kind === 'refused') return refuse(reply, outcome.reason);
      if (outcome.kind === 'unproven') {
        setState(request, reply, PENDING_COOKIE, outcome.pending);
        return reply.redirect(`/login?${new URLSearchParams({ confirm: outcome.username })}`);
      }
      setSessionCookie(request, reply, outcome.cookie);
      return reply.redirect(outcome.to);
    },
  });
}

/** The provider calls it. It has no session: the signature of the token authenticates it. */
function backChannelRoute(app: App, oidc: Oidc | null): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_LOGOUT_TOKEN_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.addContentTypeParser('*', (_request, _body, done) => done(new AppError('unsupported_media_type', FORM_ONLY)));
    scope.route({
      method: 'POST',
      url: '/api/login/oidc/back-channel',
      config: OPEN,
      schema: described('Ends sessions for the provider (logout_token of Back-Channel Logout 1.0)'),
      handler: async (request, reply) => {
        const { logout } = configured(oidc);
        const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
        if (!token) throw new AppError('invalid_input', 'logout_token is required', { field: 'logout_token' });
        await logout.endSessions(token, clientAddress(request));
        return reply.send();
      },
    });
  });
}

/** True for a host of PUBLIC_URL other than the first one. */
function isOtherOwnHost({ hostname, server }: FastifyRequest, first: string): boolean {
  const hosts = [...server.publicOrigins].map((origin) => new URL(origin).hostname);
  return hosts.includes(hostname) && hostname !== new URL(first).hostname;
}

function configured(oidc: Oidc | null): Oidc {
  if (oidc) return oidc;
  throw new AppError('not_configured', 'Single sign-on is not set up. Ask an admin to set OIDC_ISSUER.');
}

const refuse = (reply: FastifyReply, reason: SignOnRefusal) => reply.redirect(`/login?refused=${reason}`);

function setState(request: FastifyRequest, reply: FastifyReply, name: string, sealed: string): void {
  const maxAge = STATE_LIFETIME_MS / 1_000;
  reply.setCookie(hostCookie(request, name), sealed, { ...cookieAttributes(request), maxAge });
}

function clearState(request: FastifyRequest, reply: FastifyReply, name: string): void {
  reply.clearCookie(hostCookie(request, name), cookieAttributes(request));
}
