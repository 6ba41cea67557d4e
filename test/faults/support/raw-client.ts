import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { undone } from './stage.ts';

/** A connection to the product that speaks, or does not, as a scenario wants it. */
export async function rawClient(origin: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => {});
  // Reads what it is told, so that it notices its end; whoever wants to be slow pauses it.
  socket.resume();
  undone(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}
