import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A network between a process and its database. */
export interface DatabaseRelay {
  /** The URL of the database through the relay. */
  url: string;
  /** From now on, packets are dropped, and neither side notices. */
  drop(): void;
  /** Closes all connections and rejects new ones. */
  cut(): void;
}

/** Starts a relay in front of the database at `databaseUrl`. It is closed when the test ends. */
export async function startDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const url = new URL(databaseUrl);
  const target = { port: Number(url.port || 5432), host: url.hostname };
  const sockets = new Set<Socket>();
  let isDropping = false;
  const server = createServer((client) => {
    const database = connect(target);
    const pass = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!isDropping) to.write(chunk);
      });
      from.on('error', () => {}).on('close', () => to.destroy());
    };
    pass(client, database);
    pass(database, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    drop() {
      isDropping = true;
    },
    cut,
  };
}
