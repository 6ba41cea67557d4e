import websocket from '@fastify/websocket';
import { AppError } from '../app-error.ts';
import type { App } from '../http/app.ts';
import { isOwnOrigin } from '../http/origin.ts';
import type { LiveSockets } from './sockets.ts';

/** The largest message a browser may send: a subscription needs less than a hundred bytes. */
const MAX_PAYLOAD = 4 * 1024;

/** `/ws`: only a signed-in browser of our own origin gets a socket; anything else is refused at the upgrade. */
export async function liveRoutes(app: App, sockets: LiveSockets): Promise<void> {
  await app.register(websocket, { options: { maxPayload: MAX_PAYLOAD, perMessageDeflate: false } });
  app.get(
    '/ws',
    {
      websocket: true,
      preValidation: async (request) => {
        if (request.headers.origin === undefined || !isOwnOrigin(request)) {
          throw new AppError('foreign_origin', 'Only pages of this application may open a live connection.');
        }
      },
    },
    (socket) => sockets.add(socket),
  );
}
