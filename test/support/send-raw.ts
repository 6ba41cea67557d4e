import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

const LIMIT_MS = 10_000;

/** Sends bytes as they are, as no client would, and resolves with all that comes back until the server ends the connection. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const late = setTimeout(() => socket.destroy(new Error('The server kept the connection.')), LIMIT_MS);
  socket.write(text, 'latin1');
  try {
    return (await buffer(socket)).toString('latin1');
  } finally {
    clearTimeout(late);
  }
}
