import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** nginx distributes the sockets over the processes. */
const SOCKETS = 8;
const ARRIVAL_MS = 2_000;

/** Opens sockets, runs a refresh, and returns whether its end has reached each of them once. */
export async function findSilentSockets(
  { address, cookie }: { address: string; cookie: string },
  refresh: () => Promise<void>,
): Promise<string[]> {
  const messages = new Array<number>(SOCKETS).fill(0);
  const sockets = messages.map((_none, index) => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers: { origin: address, cookie } });
    socket.on('message', (data) => {
      if (String(data).includes('"refresh-completed"')) messages[index] = (messages[index] ?? 0) + 1;
    });
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  await refresh();
  await pause(ARRIVAL_MS);
  for (const socket of sockets) socket.terminate();
  return messages.every((count) => count === 1)
    ? []
    : [`the end of a refresh reached live connections this often, instead of once each: ${messages.join(', ')}`];
}
