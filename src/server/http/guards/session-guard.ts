import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { identifyActor } from '#server/request-context.ts';
import { readToken, setSessionCookie } from './session-cookie.ts';

export interface SignedIn {
  accountId: number;
  username: string;
}

export interface FoundSession {
  signedIn: SignedIn;
  /** Set when this use has extended a remembered session, whose cookie then has to last longer. */
  cookieMaxAgeSeconds?: number;
}

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

/** Rejects anonymous callers of routes that are not open. Unknown paths return 404 to everyone. */
export function guardSession(sessions: SessionReader) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.signedIn = null;
    if (request.is404 || request.routeOptions.config.access === 'open') return;
    const token = readToken(request);
    const found = sessions.findSession(token);
    const session = found instanceof Promise ? await found : found;
    if (!session) throw notSignedIn();
    request.signedIn = session.signedIn;
    identifyActor(session.signedIn);
    if (token !== null && session.cookieMaxAgeSeconds !== undefined)
      setSessionCookie(request, reply, { token, maxAgeSeconds: session.cookieMaxAgeSeconds });
  };
}

export function signedInUser(request: FastifyRequest): SignedIn {
  if (!request.signedIn) throw notSignedIn();
  return request.signedIn;
}

const notSignedIn = () => new AppError('unauthenticated', 'Sign in to continue.');
