import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '#support/live-socket.ts';
import type { RefreshesAndSteps } from './refreshes-and-steps.ts';

/** nginx distributes the sockets over the processes. */
const SOCKETS = 8;
const ARRIVAL_MS = 2_000;

/** Opens sockets, runs a refresh, and returns whether its end has reached each of them once. */
export async function findSilentSockets(address: string, cookie: string, load: RefreshesAndSteps): Promise<string[]> {
  const connections = await Promise.all(Array.from({ length: SOCKETS }, () => connect(address, { cookie })));
  await load.refresh();
  await pause(ARRIVAL_MS);
  for (const { socket } of connections) socket.terminate();
  const counts = connections.map(({ messages }) => messages.filter(({ type }) => type === 'refresh-completed').length);
  return counts.every((count) => count === 1)
    ? []
    : [`the end of a refresh reached live connections this often, instead of once each: ${counts.join(', ')}`];
}
