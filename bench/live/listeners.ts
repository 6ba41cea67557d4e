/** The browsers: opens sockets, subscribes them, and tells when each of them got the next message. Forked. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

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
/** The first byte of a whole text message (RFC 6455, section 5.2). */
const TEXT = 0x81;
const sockets: Socket[] = [];
let arrivals: bigint[] = [];
let waiting = false;

process.on('message', async (question: Place | { expect: true }) => {
  if ('expect' in question) {
    waiting = true;
    return;
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

/** Frames are looked at no further than needed, so that the listeners cost the machine little and the senders are what is measured. */
async function open({ port, path, origin, cookie }: Place): Promise<void> {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const key = randomBytes(16).toString('base64');
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    headers: { ...upgrade, 'sec-websocket-key': key, origin, cookie },
  });
  asked.end();
  const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket];
  socket.on('data', (frame: Buffer) => {
    if (frame[0] !== TEXT) return;
    arrivals.push(process.hrtime.bigint());
    tellWhenAllCame(frame);
  });
  socket.write(maskedFrame(JSON.stringify({ type: 'subscribe', channel: 'system-logs' })));
  sockets.push(socket);
}

/** Clients must mask what they send; a mask of zeros leaves it as it is. Shorter than 126 bytes. */
const maskedFrame = (text: string) =>
  Buffer.concat([Buffer.from([TEXT, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

/** From a server that does not mask: one length byte, or two more for up to 64 KB. */
const textOf = (frame: Buffer) => frame.toString('utf8', frame[1] === 126 ? 4 : 2);

function tellWhenAllCame(frame: Buffer): void {
  if (!waiting || arrivals.length < sockets.length) return;
  const delivered: Delivered = { arrivals: arrivals.map(String), text: textOf(frame) };
  waiting = false;
  arrivals = [];
  process.send?.(delivered);
}
