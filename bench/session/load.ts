import { connect, type Socket } from 'node:net';

/**
 * GETs of one path over several open connections. Each sends the next request after a complete
 * answer.
 */
export interface Load {
  port: number;
  path: string;
  cookie?: string;
  connections: number;
  milliseconds: number;
}

export interface LoadDone {
  requests: number;
  milliseconds: number;
}

/**
 * Leaner than an HTTP client, so that the server is measured. Every answer must be a 200 of the
 * same length.
 */
async function run({ port, path, cookie, connections, milliseconds }: Load): Promise<LoadDone> {
  const head = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...(cookie ? [`Cookie: ${cookie}`] : [])];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  const start = performance.now();
  const deadline = start + milliseconds;
  const counts = await Promise.all(
    Array.from({ length: connections }, () => drive(connect(port, '127.0.0.1'), request, deadline)),
  );
  return { requests: counts.reduce((sum, count) => sum + count, 0), milliseconds: performance.now() - start };
}

function drive(socket: Socket, request: Buffer, deadline: number): Promise<number> {
  let done = 0;
  let received = '';
  let length = 0;
  let missing = 0;
  return new Promise((resolve, reject) => {
    socket.setNoDelay(true).on('error', reject);
    socket.on('connect', () => socket.write(request));
    socket.on('data', (chunk) => {
      if (length === 0) {
        received += chunk.toString('latin1');
        length = lengthOf(received);
        missing = length - received.length;
        if (length === 0) return;
      } else missing -= chunk.length;
      if (missing > 0) return;
      if (missing < 0) reject(new Error('The answers differ in length.'));
      done += 1;
      if (performance.now() >= deadline) {
        socket.destroy();
        resolve(done);
        return;
      }
      missing = length;
      socket.write(request);
    });
  });
}

/** Returns the bytes of head and body, or 0 while the head is incomplete. */
function lengthOf(answer: string): number {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(answer);
  return end + 4 + Number(/^content-length: (\d+)/im.exec(answer)?.[1]);
}

process.on('message', (load: Load) => {
  run(load).then(
    (done) => process.send?.(done),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
