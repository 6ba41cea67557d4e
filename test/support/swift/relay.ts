import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Forwards connections to a service and can hold back or break off uploads of videos. */
export interface Relay {
  endpoint: string;
  /** Matches the request line of the uploads that are affected. Default: all uploads of videos. */
  uploads: RegExp;
  /** The number of uploads that pass before the others are held back. */
  passesLeft: number;
  /** The number of uploads that were held back. */
  heldCount: number;
  /** The number of uploads whose connection will be closed. */
  breaksLeft: number;
}

/** Starts a relay in front of a service on this machine. It is closed when the test ends. */
export async function startRelay(endpoint: string): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(new URL(endpoint).port), '127.0.0.1');
    let isHeld = false;
    client.on('data', (chunk) => {
      if (relay.uploads.test(chunk.toString('latin1', 0, 500))) {
        if (relay.breaksLeft > 0) {
          relay.breaksLeft -= 1;
          client.destroy();
        }
        isHeld = relay.passesLeft === 0;
        if (isHeld) relay.heldCount += 1;
        else relay.passesLeft -= 1;
      }
      if (!isHeld) service.write(chunk);
    });
    service.on('data', (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const relay: Relay = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads: /^(PUT|POST) \S*\/videos\//,
    passesLeft: Number.POSITIVE_INFINITY,
    heldCount: 0,
    breaksLeft: 0,
  };
  return relay;
}
