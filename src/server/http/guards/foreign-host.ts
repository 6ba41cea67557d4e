import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { isLoopback } from '#server/loopback.ts';

/** `name:port`, `address:port` or `[address]:port` (RFC 9110, section 7.2). */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d*)?$/i;

/**
 * Protects a server that only this machine can reach against DNS rebinding: a site can resolve its
 * own name to 127.0.0.1, and the browser then treats our pages as its own. Requests without a Host
 * header (HTTP/1.0) do not come from browsers.
 */
export async function guardHost({ headers }: FastifyRequest): Promise<void> {
  if (headers.host === undefined) return;
  const [, address, name] = HOST.exec(headers.host) ?? [];
  if (isLoopback(address ?? name?.replace(/\.$/, '') ?? '')) return;
  throw new AppError(
    'foreign_host',
    'This server only accepts requests from this computer. Behind a proxy, set TRUST_PROXY=true; to allow other computers, set HOST.',
  );
}
