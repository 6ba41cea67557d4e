import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#contracts/errors.ts';
import { handleError } from './error-handler.ts';
import { securityHeaders, setSecurityHeaders } from './security-headers.ts';

/**
 * The responses that Node and Fastify send without running a hook get the security headers too.
 * Their protocol is unknown, so `mayBeHttps` (behind a proxy) decides about HSTS, which browsers
 * ignore over HTTP.
 */
export function coverBareResponses(app: FastifyInstance, mayBeHttps: boolean): void {
  const serve = (request: IncomingMessage, response: ServerResponse) => app.server.emit('request', request, response);
  // An unknown `Expect` header may be ignored (RFC 9110, 10.1.1). Node would return 417.
  app.server.on('checkExpectation', serve);
  app.websocketServer.on('wsClientError', (_error: Error, socket: Duplex) =>
    rejectHandshake(socket, securityHeaders(mayBeHttps)),
  );
}

/**
 * Rejects a request whose URL cannot be decoded or has a part that is too long. No hook has
 * run, because no route matched.
 */
export function rejectUnreadableUrl(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  setSecurityHeaders(request, reply);
  handleError(error, request, reply);
}

/**
 * Keys are error codes of Node's HTTP server (https://nodejs.org/api/http.html#event-clienterror).
 */
const REFUSALS: Record<string, { code: ErrorCode; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers of the request are too large.' },
};
const BROKEN = { code: 'invalid_input', message: 'The request is not valid HTTP.' } as const;

/**
 * Rejects bytes that Node cannot parse as a request. Ends the connection, because the bytes that
 * follow cannot be parsed either.
 */
export const rejectBrokenRequest =
  (mayBeHttps: boolean) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) socket.write(rawResponse(REFUSALS[error.code ?? ''] ?? BROKEN, securityHeaders(mayBeHttps)));
    socket.destroy(error);
  };

/** Rejects an upgrade that is not a WebSocket handshake (RFC 6455, section 4.2.1). */
function rejectHandshake(socket: Duplex, headers: Headers): void {
  socket.once('finish', () => socket.destroy());
  socket.end(
    rawResponse({ code: 'invalid_input', message: 'The request is not a valid WebSocket handshake.' }, headers),
  );
}

type Headers = Readonly<Record<string, string>>;

function rawResponse({ code, message }: { code: ErrorCode; message: string }, headers: Headers): string {
  const status = ERROR_STATUS[code];
  const body = JSON.stringify({ message, code } satisfies ErrorBody);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
