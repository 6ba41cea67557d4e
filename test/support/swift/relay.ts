import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Forwards connections to a service and can hold back or break off uploads of videos. */
export interface Relay {
  endpoint: string;
  /** Selects uploads by method and address. Default: all uploads of videos. */
  counts: RegExp;
  /** Uploads that pass before the others are held back. */
  passes: number;
  /** Uploads that were held back. */
  held: number;
  /** Uploads whose connection will be closed. */
  breaks: number;
}

/** Starts a relay in front of a service on this machine. It is closed when the test ends. */
export async function startRelay(endpoint: string): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(new URL(endpoint).port), '127.0.0.1');
    let isHeld = false;
    client.on('data', (chunk) => {
      if (relay.counts.test(chunk.toString('latin1', 0, 500))) {
        if (relay.breaks > 0) {
          relay.breaks -= 1;
          client.destroy();
        }
        isHeld = relay.passes === 0;
        if (isHeld) relay.held += 1;
        else relay.passes -= 1;
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
    counts: /^(PUT|POST) \S*\/videos\//,
    passes: Number.POSITIVE_INFINITY,
    held: 0,
    breaks: 0,
  };
  return relay;
}
