import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Opens a live socket. Resolves with 101, or with the status of the refusal. */
export async function tryUpgrade(host: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`ws://${host}/ws`, { headers });
  const opened = once(socket, 'open').then(() => 101);
  const refused = once(socket, 'unexpected-response').then(([, response]) => {
    response.destroy();
    return response.statusCode as number;
  });
  const status = await Promise.race([opened, refused]);
  for (const outcome of [opened, refused]) outcome.catch(() => {});
  socket.on('error', () => {});
  socket.terminate();
  return status;
}
