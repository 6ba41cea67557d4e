import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** Writes the body of each PUT to the file in argv. Ends with its parent. */
const [, , path = ''] = process.argv;
const server = createServer(async (request, response) => {
  await pipeline(request, createWriteStream(path));
  response.end();
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
