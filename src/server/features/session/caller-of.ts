import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signedInUser } from '../../http/session-guard.ts';
import type { Caller } from './caller.ts';
import { clientAddress } from './client-address.ts';
import type { Sessions } from './session.service.ts';
import { readToken, type SessionCookie, setSessionCookie } from './session-cookie.ts';

/** Who makes a request of their own session. */
export const callerOf = (request: FastifyRequest): Caller => ({
  signedIn: signedInUser(request),
  token: readToken(request) ?? '',
  address: clientAddress(request),
});

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends the new cookie, and ends the caller's session once it has been sent: until then their windows must not find themselves signed out. */
export function replaceCookie(sessions: Sessions, cookie: SessionCookie, { request, reply }: Exchange): void {
  const token = readToken(request) ?? '';
  setSessionCookie(request, reply, cookie);
  finished(reply.raw, () => {
    sessions.forget(token).catch((error) => request.log.error(error, 'A replaced session could not be ended'));
  });
}
