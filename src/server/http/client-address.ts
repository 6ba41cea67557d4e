import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '#server/networks.ts';

/**
 * Returns the client's address as `networkOf` does; failed sign-ins count for it. Behind a proxy
 * this is the address that the nearest proxy saw: everything before it in X-Forwarded-For comes
 * from the client.
 */
export function clientAddress(request: FastifyRequest): string {
  const [connected = request.ip, forwarded] = request.ips ?? [];
  if (forwarded === undefined) return networkOf(connected);
  const address = withoutPort(forwarded);
  if (address === null) warnOnce(request);
  return networkOf(address ?? connected);
}

/**
 * Returns the address of `1.2.3.4`, `1.2.3.4:5678`, `::1`, `[::1]` or `[::1]:5678`, because some
 * proxies append the port (Azure Application Gateway, IIS). Null for any other text.
 */
export function withoutPort(text: string): string | null {
  if (isIP(text) !== 0) return text;
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = ipv6 ?? ipv4 ?? '';
  return isIP(address) === (ipv6 === undefined ? 4 : 6) ? address : null;
}

const warned = new WeakSet<FastifyInstance>();

function warnOnce({ server, log }: FastifyRequest): void {
  if (warned.has(server)) return;
  warned.add(server);
  log.warn('X-Forwarded-For does not end in an address. Failed sign-ins count for the proxy: check its configuration.');
}
