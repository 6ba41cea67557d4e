/** The browsers: opens sockets, subscribes them, and tells when each of them got the next message. Forked. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Place {
  port: number;
  path: string;
  origin: string;
  cookie: string;
  sockets: number;
}

/** When each socket got the message, on the clock of the whole machine (nanoseconds as text), and the message. */
export interface Delivered {
  arrivals: string[];
  text: string;
}

const AT_ONCE = 50;
const sockets: WebSocket[] = [];
let arrivals: bigint[] = [];
let waiting = false;

process.on('message', async (question: Place | { expect: true }) => {
  if ('expect' in question) {
    waiting = true;
    return tellWhenAllCame('');
  }
  while (sockets.length < question.sockets) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, question.sockets - sockets.length) }, () => open(question)),
    );
  }
  // What comes to everybody at the beginning is not what is measured.
  setTimeout(() => {
    arrivals = [];
    process.send?.({ open: sockets.length });
  }, 500);
});

async function open({ port, path, origin, cookie }: Place): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    origin,
    headers: { cookie },
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  socket.on('message', (data) => {
    arrivals.push(process.hrtime.bigint());
    tellWhenAllCame(data);
  });
  socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' }));
  sockets.push(socket);
}

function tellWhenAllCame(data: { toString(): string }): void {
  if (!waiting || arrivals.length < sockets.length) return;
  const delivered: Delivered = { arrivals: arrivals.map(String), text: data.toString() };
  waiting = false;
  arrivals = [];
  process.send?.(delivered);
}
