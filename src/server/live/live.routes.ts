import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { App } from '../http/app.ts';
import { isOwnOrigin } from '../http/origin.ts';
import { signedInUser } from '../http/session-guard.ts';
import type { LiveBus } from './bus.ts';
import { checkSockets, type StandingSessions } from './check-sockets.ts';
import type { EndedSessions, LiveSockets } from './sockets.ts';

interface LiveParts {
  sockets: LiveSockets;
  bus: LiveBus;
  sessions: {
    standing: StandingSessions;
    /** Names the session that a signed-in request came with. */
    nameOf(request: FastifyRequest): string;
    /** Calls the listener when sessions have ended, in whatever process. */
    onEnded(listener: (ended: EndedSessions) => void): void;
  };
}

/** `/ws`: only a signed-in browser of our own origin gets a socket; anything else is refused at the upgrade. */
export function liveRoutes(app: App, { sockets, bus, sessions }: LiveParts): void {
  const check = checkSockets(sockets, (asked) => sessions.standing(asked), app.log);
  app.route({
    method: 'GET',
    url: '/ws',
    exposeHeadRoute: false,
    schema: { hide: true },
    preValidation: async (request) => {
      if (request.headers.origin === undefined || !isOwnOrigin(request)) {
        throw new AppError('foreign_origin', 'Only pages of this application may open a live connection.');
      }
      refuseTooMany(sockets.refusal(sessions.nameOf(request)));
    },
    handler: () => {
      throw new AppError('not_found', 'This address takes live connections (WebSocket) only.');
    },
    wsHandler: (socket, request) => {
      const session = sessions.nameOf(request);
      sockets.add(socket, { session, accountId: signedInUser(request).accountId });
      // It may have ended between the upgrade and here, and that news has passed already.
      check({ session });
    },
  });
  // Ended sessions are announced; their sockets must not go on listening.
  sessions.onEnded(check);
  bus.onGap(() => {
    if (bus.connected) check('any');
  });
}

/** Seconds after which a browser that was refused may come back. */
const COME_BACK_SECONDS = 30;

function refuseTooMany(refusal: ReturnType<LiveSockets['refusal']>): void {
  if (refusal === null) return;
  const more = { retryAfterSeconds: COME_BACK_SECONDS };
  if (refusal === 'too many')
    throw new AppError('unavailable', 'Too many live connections are open. The page works without.', more);
  throw new AppError('too_many_requests', 'This browser has too many windows of this application open.', more);
}
