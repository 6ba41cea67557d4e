import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { FuzzRequest } from './fuzz-request.ts';

export interface FuzzResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  milliseconds: number;
}

/** A response that takes longer is reported as a hang. */
export const RESPONSE_LIMIT_MS = 10_000;

/** Creates an agent with this many persistent connections. */
export const openConnections = (count: number) => new Agent({ keepAlive: true, maxSockets: count });

interface Line {
  origin: URL;
  agent: Agent | false;
  cookie: string | undefined;
}

/**
 * Sends a request over real HTTP. Rejects when the connection ends without a response or none
 * arrives in time. Like every client, it retries once when the server closed a reused connection.
 */
export async function exchange(request: FuzzRequest, line: Line): Promise<FuzzResponse> {
  try {
    return await send(request, line);
  } catch (error) {
    if (!(error instanceof ConnectionClosed)) throw error;
    return send(request, { ...line, agent: false });
  }
}

/** The server closed the reused connection before it received the request. */
class ConnectionClosed extends Error {}

async function send(request: FuzzRequest, { origin, agent, cookie }: Line): Promise<FuzzResponse> {
  const began = performance.now();
  const headers = headersOf(request, { host: origin.host, cookie });
  const { promise, resolve, reject } = Promise.withResolvers<FuzzResponse>();
  const sent = httpRequest({
    agent,
    hostname: origin.hostname,
    port: origin.port,
    method: request.method,
    path: request.target,
    headers: headers.flat(),
    setHost: false,
    signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
  });
  sent.on('response', (response) => {
    readBody(response).then(
      (body) =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          milliseconds: performance.now() - began,
        }),
      reject,
    );
  });
  sent.on('upgrade', (response, socket) => {
    socket.destroy();
    resolve({
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: '',
      milliseconds: performance.now() - began,
    });
  });
  sent.on('error', (error: NodeJS.ErrnoException) =>
    reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new ConnectionClosed() : error),
  );
  sent.end(request.body);
  return promise;
}

const DECODERS: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
};

/** Returns the body as text, decompressed when the request accepted compression. */
async function readBody(response: IncomingMessage): Promise<string> {
  const bytes = await buffer(response);
  const decode = DECODERS[response.headers['content-encoding'] ?? ''];
  return String(decode && bytes.length > 0 ? await decode(bytes) : bytes);
}

function headersOf(
  request: FuzzRequest,
  { host, cookie }: { host: string; cookie: string | undefined },
): FuzzRequest['headers'] {
  const present = new Set(request.headers.map(([name]) => name));
  const headers = request.headers.filter(([name]) => name !== 'content-length');
  if (!present.has('host')) headers.push(['host', host]);
  if (!present.has('cookie') && cookie !== undefined) headers.push(['cookie', cookie]);
  const length = Buffer.byteLength(request.body ?? '');
  if (length > 0 || !['GET', 'HEAD'].includes(request.method)) headers.push(['content-length', String(length)]);
  return headers;
}
