/**
 * The baseline, a forked process: a plain `ws` server that sends a text to every socket on request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });

process.on('message', ({ send }: { send?: string }) => {
  if (send === undefined) {
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
    return;
  }
  const frame = Buffer.from(send);
  for (const socket of sockets.clients) socket.send(frame, { binary: false });
  process.send?.({ sent: true });
});
