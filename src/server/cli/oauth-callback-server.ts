import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the text for the browser, or null when the request is not the expected callback. */
export type OnCallback = (parameters: URLSearchParams) => Promise<string | null>;

/**
 * Listens on loopback for the redirect of an OAuth consent (RFC 8252, section 7.3). Default: a free
 * port.
 */
export async function startCallbackServer(onCallback: OnCallback, port = 0): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => void respond(request, response, onCallback));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, onCallback: OnCallback): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const text = request.method === 'GET' && url.pathname === '/' ? await onCallback(url.searchParams) : null;
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
  response.writeHead(text === null ? 404 : 200, headers).end(text ?? 'Nothing to do here.');
}
