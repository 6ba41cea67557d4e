/**
 * The load, a forked process: requests ranges of a file over bare sockets and counts the received
 * bytes. It reads into one fixed buffer, so that the servers are measured and not this client.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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
async function run(load: Load): Promise<number> {
  const sockets = Array.from({ length: load.connections }, (_, index) => open(load, index));
  await sleep(WARM_UP_MS);
  const receivedBefore = received;
  const start = performance.now();
  await sleep(load.seconds * 1000);
  const seconds = (performance.now() - start) / 1000;
  for (const socket of sockets) socket.destroy();
  return (received - receivedBefore) / seconds;
}

/**
 * One connection that sends its next request when the response to the last one is complete. An
 * error of it ends the process.
 */
function open(load: Load, index: number): Socket {
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
  const read = (length: number) => {
    let body = length;
    if (left === 0) {
      head += buffer.toString('latin1', 0, length);
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
  const onread = { buffer, callback: read };
  const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true, onread }, ask);
  return socket;
}

function contentLength(head: string, load: Load): number {
  const expected = load.rangeBytes ?? load.fileBytes;
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  if (length !== expected) throw new Error(`Unexpected response:\n${head}`);
  return length;
}
