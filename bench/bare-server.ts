/**
 * The baseline for one file: a bare node:http server that pipes the file, or a range of it, and
 * writes the body of each PUT to it. It checks no session, and sets only the headers that a range
 * needs. Ends with its parent.
 */
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

const path = process.argv[2] ?? '';
const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const server = createServer((request, response) => {
  if (request.method === 'PUT')
    return pipeline(request, createWriteStream(path), (error) => response.writeHead(error ? 500 : 200).end());
  const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const [start, end] = match ? [Number(match[1]), Number(match[2])] : [0, size - 1];
  response.writeHead(match ? 206 : 200, {
    'content-type': 'video/mp4',
    'content-length': end - start + 1,
    ...(match && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  pipeline(createReadStream(path, { start, end }), response, () => undefined);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
