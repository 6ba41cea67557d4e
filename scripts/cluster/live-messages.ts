import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** nginx spreads them over the processes. */
const SOCKETS = 8;
const ARRIVAL_MS = 2_000;

/** Opens sockets, runs a refresh, and returns whether its end has reached all of them. */
export async function findSilentSockets(
  { address, cookie }: { address: string; cookie: string },
  refresh: () => Promise<void>,
): Promise<string[]> {
  let informed = 0;
  const sockets = Array.from({ length: SOCKETS }, () => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers: { origin: address, cookie } });
    socket.on('message', (data) => {
      if (String(data).includes('"refresh-completed"')) informed += 1;
    });
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  await refresh();
  await pause(ARRIVAL_MS);
  for (const socket of sockets) socket.terminate();
  return informed === SOCKETS ? [] : [`the end of a refresh reached ${informed} of ${SOCKETS} live connections`];
}
