import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '#contracts/endpoint.ts';
import { hasRole, type Role, type Scope } from '#contracts/rules/roles.ts';
import { AppError } from '#server/app-error.ts';
import { identifyCaller } from '#server/request-context.ts';
import { BEARER_CHALLENGE, readBearer } from './bearer-token.ts';
import { readToken, setSessionCookie } from './session-cookie.ts';

export interface SignedIn {
  accountId: number;
  username: string;
  role: Role;
  /** The funnels that the account sees. Null: all of them. */
  funnelIds: readonly number[] | null;
  /** The scopes of the caller's API token. Null: a session, which has all rights of the account. */
  scopes: readonly Scope[] | null;
}

export interface FoundSession {
  signedIn: SignedIn;
  /** Set if this use extended a remembered session, whose cookie must then be renewed. */
  cookieMaxAgeSeconds?: number;
}

/** Looks up sessions and API tokens. */
export interface SessionReader {
  /**
   * Returns a cached session without a promise; null when the token belongs to no active session.
   */
  findSession(token: string | null): FoundSession | null | Promise<FoundSession | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only on open routes. */
    signedIn: SignedIn | null;
  }
}

interface Readers {
  sessions: SessionReader;
  apiTokens: SessionReader;
}

/**
 * Rejects anonymous callers of routes that are not open, and callers without the role or the scope
 * of the route. Unknown paths return 404 to everyone.
 */
export function guardSession({ sessions, apiTokens }: Readers) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.signedIn = null;
    const { role = 'administrator', scope = null, needsAllFunnels = false } = request.routeOptions.config;
    if (request.is404 || role === 'open') return;
    const bearer = readBearer(request);
    const token = bearer ?? readToken(request);
    const found = (bearer === null ? sessions : apiTokens).findSession(token);
    const session = found instanceof Promise ? await found : found;
    if (!session) throw refuseAnonymous(reply, bearer !== null);
    request.signedIn = session.signedIn;
    identifyCaller(session.signedIn);
    if (token !== null && session.cookieMaxAgeSeconds !== undefined)
      setSessionCookie(request, reply, { token, maxAgeSeconds: session.cookieMaxAgeSeconds });
    expectAccess(session.signedIn, { role, scope, needsAllFunnels });
  };
}

function refuseAnonymous(reply: FastifyReply, hasToken: boolean): AppError {
  reply.header('www-authenticate', BEARER_CHALLENGE);
  return hasToken ? new AppError('unauthenticated', INVALID_TOKEN) : notSignedIn();
}

interface NeededAccess extends Omit<Access, 'role'> {
  role: Role;
}

/** @throws AppError `forbidden` that names the needed role or scope */
function expectAccess({ role, scopes, funnelIds }: SignedIn, needed: NeededAccess): void {
  if (!hasRole(role, needed.role)) throw new AppError('forbidden', NEEDED_ROLE[needed.role]);
  if (needed.needsAllFunnels && funnelIds !== null) throw new AppError('forbidden', NEEDS_ALL_FUNNELS);
  if (scopes === null) return;
  if (needed.scope === null) throw new AppError('forbidden', 'API tokens cannot be used for this. Sign in instead.');
  if (!scopes.includes(needed.scope)) throw missingScope(needed.scope);
}

export const missingScope = (scope: Scope): AppError =>
  new AppError('forbidden', `This API token needs the scope ${scope}.`);

/** Identical for every reason, so that a stolen token reveals nothing about its account. */
const INVALID_TOKEN = 'This API token is not valid. It may be incomplete, expired or revoked.';

const NEEDS_ALL_FUNNELS = 'This needs an account that sees all funnels.';

const NEEDED_ROLE: Record<Role, string> = {
  reviewer: 'This needs an account.',
  recruiter: 'This needs the role recruiter.',
  administrator: 'This needs the role administrator.',
};

export function signedInUser(request: FastifyRequest): SignedIn {
  if (!request.signedIn) throw notSignedIn();
  return request.signedIn;
}

const notSignedIn = () => new AppError('unauthenticated', 'Sign in to continue.');
