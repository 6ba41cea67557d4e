import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Whom to hold responsible for a failed sign-in. Behind a proxy it is the address that the nearest proxy saw: everything before that in
 * X-Forwarded-For was written by the client and could differ at each try.
 */
export const clientAddress = (request: FastifyRequest): string => networkOf(request.ips?.[1] ?? request.ip);

/** An IPv6 client owns at least its /64 (RFC 6177), so that is what counts. IPv4 addresses count one by one, also when written as IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const plain = address.split('%')[0] ?? '';
  if (!isIPv6(plain)) return address;
  const [left = '', right] = plain.toLowerCase().split('::');
  const groups = left === '' ? [] : left.split(':');
  // An IPv4 address at the end stands for two groups.
  const after = right ? right.split(/[:.]/).length - (right.includes('.') ? 2 : 0) : 0;
  const zeros = right === undefined ? 0 : 8 - groups.length - after;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...(right ? right.split(':') : [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
