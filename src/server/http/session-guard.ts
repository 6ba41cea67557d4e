import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** Who is signed in on a request. */
export interface SignedIn {
  accountId: number;
  username: string;
}

/** What the guard needs of the session feature. */
export interface SessionReader {
  /** Resolves at once from memory in the usual case; null when the request carries no valid session. */
  read(request: FastifyRequest, reply: FastifyReply): SignedIn | null | Promise<SignedIn | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only on open endpoints. */
    signedIn: SignedIn | null;
  }
}

/** Refuses anonymous callers of every route that is not marked open. Paths that no route serves answer their 404 to everybody. */
export function guardSession(sessions: SessionReader) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.signedIn = null;
    if (request.is404 || request.routeOptions.config.open) return;
    const found = sessions.read(request, reply);
    request.signedIn = found instanceof Promise ? await found : found;
    if (!request.signedIn) throw new AppError('unauthenticated', 'Please sign in.');
  };
}

/** The signed-in user of a guarded route. */
export function signedInUser(request: FastifyRequest): SignedIn {
  if (!request.signedIn) throw new AppError('unauthenticated', 'Please sign in.');
  return request.signedIn;
}
