import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { EICAR } from '#sandbox/files/infected-video.ts';

/**
 * The daemon's behavior with a stream: `scans`, cannot scan it (`error`), stops reading and never
 * responds (`hangs`), disconnects in the middle (`leaves`), or stops reading and then refuses
 * (`refuses`).
 */
export type ClamdMood = 'scans' | 'error' | 'hangs' | 'leaves' | 'refuses';

/** A server with clamd's protocol that detects one virus, the EICAR test file, at any position. */
export interface TestClamd {
  /** The value for `CLAMD_ADDRESS`. */
  address: string;
  port: number;
  mood: ClamdMood;
  /** The bytes of the last stream, without the chunk lengths. */
  received: number;
  /** The number of started streams. */
  streams: number;
  close(): Promise<void>;
}

interface Limits {
  /** Like StreamMaxLength: a longer stream is rejected in the middle. */
  maxBytes?: number;
  port?: number;
}

/** After this time the buffers are full, and a client that continues to send is blocked. */
const UNTIL_FULL_MS = 100;
const TOO_LARGE = 'INSTREAM size limit exceeded. ERROR\0';

/** Starts the server; it is closed when the test ends. */
export async function startClamd({ maxBytes = 1e9, port = 0 }: Limits = {}): Promise<TestClamd> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    serve(socket, clamd, maxBytes).catch(() => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const clamd: TestClamd = {
    address: `127.0.0.1:${bound}`,
    port: bound,
    mood: 'scans',
    received: 0,
    streams: 0,
    close,
  };
  onTestFinished(close);
  return clamd;
}

async function serve(socket: Socket, clamd: TestClamd, maxBytes: number): Promise<void> {
  const read = reader(socket);
  const command = await read.line();
  if (command === 'zPING') return void socket.end('PONG\0');
  if (command !== 'zINSTREAM') return void socket.end('UNKNOWN COMMAND\0');
  clamd.streams += 1;
  clamd.received = 0;
  if (clamd.mood === 'hangs') return void socket.pause();
  let last = Buffer.alloc(0);
  let isInfected = false;
  for (;;) {
    const length = (await read.bytes(4)).readUInt32BE();
    if (length === 0) break;
    const piece = Buffer.concat([last, await read.bytes(length)]);
    clamd.received += length;
    if (clamd.mood === 'leaves') return void socket.destroy();
    if (clamd.mood === 'refuses') return void setTimeout(() => socket.write(TOO_LARGE), UNTIL_FULL_MS);
    if (clamd.received > maxBytes) return void socket.end(TOO_LARGE);
    isInfected ||= piece.includes(EICAR, 0, 'latin1');
    last = piece.subarray(-EICAR.length);
  }
  if (clamd.mood === 'error') return void socket.end("stream: Can't allocate memory ERROR\0");
  socket.end(isInfected ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
}

/** Reads commands that end with NUL, and chunks of a given length. */
function reader(socket: Socket) {
  const pieces = socket[Symbol.asyncIterator]();
  let waiting = Buffer.alloc(0);
  const more = async () => {
    const next = await pieces.next();
    if (next.done) throw new Error('The client has disconnected');
    waiting = Buffer.concat([waiting, next.value]);
  };
  const take = (bytes: number) => {
    const head = waiting.subarray(0, bytes);
    waiting = waiting.subarray(bytes);
    return head;
  };
  return {
    async line(): Promise<string> {
      while (!waiting.includes(0)) await more();
      const line = take(waiting.indexOf(0)).toString('latin1');
      take(1);
      return line;
    },
    async bytes(length: number): Promise<Buffer> {
      while (waiting.length < length) await more();
      return take(length);
    },
  };
}
