import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns `wanted` when it is free on 127.0.0.1, else any free port. */
export async function findFreePort(wanted = 0): Promise<number> {
  await using server = createServer().listen({ port: wanted, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (wanted === 0) throw error;
    return findFreePort();
  }
}
