import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { App } from '../http/app.ts';
import { isOwnOrigin } from '../http/origin.ts';
import type { LiveBus } from './bus.ts';
import type { LiveSockets } from './sockets.ts';

interface LiveParts {
  sockets: LiveSockets;
  bus: LiveBus;
  sessions: {
    isSignedIn(request: FastifyRequest): Promise<boolean>;
    /** Names the session that a request came with; null when it came with none. */
    nameOf(request: FastifyRequest): string | null;
  };
}

/** `/ws`: only a signed-in browser of our own origin gets a socket; anything else is refused at the upgrade. */
export function liveRoutes(app: App, { sockets, bus, sessions }: LiveParts): void {
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
    wsHandler: (socket, request) =>
      sockets.add(socket, { session: sessions.nameOf(request), isWelcome: () => sessions.isSignedIn(request) }),
  });
  // Ended sessions are announced; their sockets must not go on listening.
  const recheck = () => {
    sockets
      .dropUnwelcome()
      .catch((error) => app.log.warn({ err: error }, 'could not check the sockets of ended sessions'));
  };
  bus.on('session', recheck);
  bus.onGap(() => {
    if (bus.connected) recheck();
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
