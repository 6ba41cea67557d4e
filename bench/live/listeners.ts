/**
 * The browsers, a forked process: opens sockets, subscribes them, and reports when each received
 * the next message.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  port: number;
  path: string;
  origin: string;
  cookie: string;
  sockets: number;
}

/**
 * When each socket received the message, in nanoseconds of the machine's monotonic clock, and the
 * message.
 */
export interface DeliveredMessages {
  arrivals: string[];
  text: string;
}

const AT_ONCE = 50;
/** The first byte of a whole text message (RFC 6455, section 5.2). */
const TEXT = 0x81;
const sockets: Socket[] = [];
let arrivals: bigint[] = [];
let waiting = false;

process.on('message', async (question: Connection | { expect: true }) => {
  if ('expect' in question) {
    waiting = true;
    return;
  }
  while (sockets.length < question.sockets) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, question.sockets - sockets.length) }, () => open(question)),
    );
  }
  // The messages that every new socket receives are not measured.
  setTimeout(() => {
    arrivals = [];
    process.send?.({ open: sockets.length });
  }, 500);
});

/**
 * Reads no more of each frame than necessary, so that the senders are measured and not this
 * process.
 */
async function open({ port, path, origin, cookie }: Connection): Promise<void> {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const key = randomBytes(16).toString('base64');
  const opening = request({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    headers: { ...upgrade, 'sec-websocket-key': key, origin, cookie },
  });
  opening.end();
  const [, socket] = (await once(opening, 'upgrade')) as [unknown, Socket];
  socket.on('data', (frame: Buffer) => {
    if (frame[0] !== TEXT) return;
    arrivals.push(process.hrtime.bigint());
    reportWhenComplete(frame);
  });
  socket.write(maskedFrame(JSON.stringify({ type: 'subscribe', channel: 'system-logs' })));
  sockets.push(socket);
}

/**
 * Clients must mask their frames; a mask of zeros changes nothing. For texts shorter than 126
 * bytes.
 */
const maskedFrame = (text: string) =>
  Buffer.concat([Buffer.from([TEXT, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

/** Servers do not mask. The length takes one byte, or three up to 64 KB. */
const textOf = (frame: Buffer) => frame.toString('utf8', frame[1] === 126 ? 4 : 2);

function reportWhenComplete(frame: Buffer): void {
  if (!waiting || arrivals.length < sockets.length) return;
  const delivered: DeliveredMessages = { arrivals: arrivals.map(String), text: textOf(frame) };
  waiting = false;
  arrivals = [];
  process.send?.(delivered);
}
