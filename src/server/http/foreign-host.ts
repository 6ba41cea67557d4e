import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { isLoopback } from '../loopback.ts';

/** `name:port`, `address:port` or `[address]:port` (RFC 9110, section 7.2); anything else names no host. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d*)?$/i;

/**
 * Refuses, where only this machine reaches the product, what was sent to another name: a site can resolve its own name to 127.0.0.1
 * (DNS rebinding), and to the browser its page is ours then. A request without a Host (HTTP/1.0) comes from no browser.
 */
export async function guardHost({ headers }: FastifyRequest): Promise<void> {
  if (headers.host === undefined) return;
  const [, address, name] = HOST.exec(headers.host) ?? [];
  if (isLoopback(address ?? name?.replace(/\.$/, '') ?? '')) return;
  throw new AppError(
    'foreign_host',
    'Only this machine is served here, as localhost or 127.0.0.1. If a proxy of yours passes this request on, set TRUST_PROXY=true; to be reached from other machines, set HOST to an address of this one.',
  );
}
