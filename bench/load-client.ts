/**
 * The load, a forked process: requests ranges of a file over bare sockets and counts the received
 * bytes. It reads into one fixed buffer, so that the servers are measured and not this client.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  path: string;
  /** Default: none. */
  cookie?: string;
  connections: number;
  /** The size of the file. */
  fileBytes: number;
  /** The length of each range. Default: the whole file. */
  rangeBytes?: number | undefined;
  seconds: number;
}

const WARM_UP_MS = 150;
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
let received = 0;

process.on('message', async (load: Load) => process.send?.(await run(load)));

/** Returns the bytes of content received per second, after a short warm-up. */
function run(load: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    const sockets = Array.from({ length: load.connections }, (_, index) => open(load, index, reject));
    setTimeout(() => {
      const receivedBefore = received;
      const start = performance.now();
      setTimeout(() => {
        const seconds = (performance.now() - start) / 1000;
        for (const socket of sockets) socket.destroy();
        resolve((received - receivedBefore) / seconds);
      }, load.seconds * 1000);
    }, WARM_UP_MS);
  });
}

/** One connection that sends its next request when the response to the last one is complete. */
function open(load: Load, index: number, fail: (error: Error) => void): Socket {
  let left = 0;
  let head = '';
  // Spreads the ranges over the file, in the same way for every server.
  let random = index * 7919 + 1;

  const ask = () => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    const lines = [`GET ${load.path} HTTP/1.1`, `host: 127.0.0.1:${load.port}`];
    if (load.cookie !== undefined) lines.push(`cookie: ${load.cookie}`);
    if (load.rangeBytes !== undefined) {
      const start = random % (load.fileBytes - load.rangeBytes);
      lines.push(`range: bytes=${start}-${start + load.rangeBytes - 1}`);
    }
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  };
  const read = (length: number, bytes: Buffer) => {
    let body = length;
    if (left === 0) {
      head += bytes.toString('latin1', 0, length);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return true;
      body = head.length - end - 4;
      left = contentLength(head.slice(0, end), load);
      head = '';
    }
    left -= body;
    received += body;
    if (left === 0) ask();
    return true;
  };
  const onread = { buffer, callback: (length: number, bytes: Uint8Array) => read(length, bytes as Buffer) };
  const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true, onread }, ask);
  socket.on('error', fail);
  return socket;
}

function contentLength(head: string, load: Load): number {
  const expected = load.rangeBytes ?? load.fileBytes;
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  if (length !== expected) throw new Error(`Unexpected response:\n${head}`);
  return length;
}
