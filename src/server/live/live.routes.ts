import { AppError } from '#server/app-error.ts';
import type { App } from '#server/http/app.ts';
import { isOwnOrigin } from '#server/http/guards/origin.ts';
import { readToken } from '#server/http/guards/session-cookie.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import type { LiveBus } from './bus.ts';
import { type FindRights, socketCheck } from './check-sockets.ts';
import type { ChangedSessions, LiveSockets, SocketLimits } from './sockets.ts';

interface LiveDeps {
  sockets: LiveSockets;
  bus: LiveBus;
  sessions: {
    findRights: FindRights;
    /** Returns the id of the session with this token. */
    idOf(token: string | null): string;
    /** Calls the listener when sessions have ended or changed rights in any process. */
    onChanged(listener: (changed: ChangedSessions) => void): void;
  };
}

/** `/ws`: a socket for signed-in browsers on our own origin. Others are rejected at the upgrade. */
export function liveRoutes(app: App, { sockets, bus, sessions }: LiveDeps): void {
  const check = socketCheck(sockets, (ids) => sessions.findRights(ids), app.log);
  app.route({
    method: 'GET',
    url: '/ws',
    exposeHeadRoute: false,
    config: { role: 'reviewer', scope: null },
    schema: { hide: true },
    preValidation: async (request) => {
      if (request.headers.origin === undefined || !isOwnOrigin(request)) {
        throw new AppError('foreign_origin', 'Only pages of this application can open a live connection.');
      }
      refuseAboveLimit(sockets.exceededLimit(sessions.idOf(readToken(request))));
    },
    handler: () => {
      throw new AppError('not_found', 'This address takes live connections (WebSocket) only.');
    },
    wsHandler: (socket, request) => {
      const session = sessions.idOf(readToken(request));
      const { accountId, role, funnelIds } = signedInUser(request);
      sockets.add(socket, { session, accountId, role, funnelIds });
      // The session may have changed after the upgrade but before the socket was registered.
      check({ session });
    },
  });
  sessions.onChanged(check);
  bus.onGap(() => {
    if (bus.connected) check('any');
  });
}

const RETRY_AFTER_SECONDS = 30;

function refuseAboveLimit(limit: keyof SocketLimits | null): void {
  if (limit === null) return;
  const more = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (limit === 'total')
    throw new AppError('unavailable', 'Live updates are unavailable right now; everything else works.', more);
  throw new AppError('too_many_requests', 'Too many tabs of this application are open.', more);
}
