import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the browser comes back with. */
export type Visit = URLSearchParams;
/** Answers a visit with the sentence that the browser shows; null when it was not the one that is waited for. */
export type OnVisit = (visit: Visit) => Promise<string | null>;

export interface Loopback {
  /** The address that a browser on this machine reaches it at. */
  address: string;
  close(): void;
}

/** Waits on a free port of this machine for a browser that comes back from somewhere else (RFC 8252, section 7.3). */
export async function listenOnLoopback(onVisit: OnVisit): Promise<Loopback> {
  const server = createServer((request, response) => void answer(request, response, onVisit));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, onVisit: OnVisit): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const said = request.method === 'GET' && url.pathname === '/' ? await onVisit(url.searchParams) : null;
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
  response.writeHead(said === null ? 404 : 200, headers).end(said ?? 'Nobody waits for this.');
}
