import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Whom to hold responsible for a failed sign-in. Behind a proxy it is the address that the nearest proxy saw: everything before that in
 * X-Forwarded-For was written by the client and could differ at each try.
 */
export const clientAddress = (request: FastifyRequest): string => networkOf(request.ips?.[1] ?? request.ip);

/** An IPv6 client owns at least its /64 (RFC 6177), so that is what counts. IPv4 addresses count one by one, also when written as IPv6. */
export function networkOf(address: string): string {
  const plain = address.split('%')[0] ?? '';
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6);
  if (isMappedIPv4(groups)) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** `::ffff:0:0/96`, RFC 4291, section 2.5.5.2. */
const isMappedIPv4 = (groups: readonly number[]) => groups.slice(0, 6).join() === [0, 0, 0, 0, 0, 0xff_ff].join();

/** The eight numbers of an address, in whatever way it is written (RFC 4291, section 2.2). */
function groupsOf(address: string): number[] {
  const [left = [], right] = address.split('::').map((part) => part.split(':').flatMap(numbersOf));
  return right ? [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right] : left;
}

/** An IPv4 address at the end stands for two groups. */
function numbersOf(group: string): number[] {
  if (group === '') return [];
  const [first = 0, second = 0, third = 0, fourth = 0] = group.split('.').map(Number);
  return group.includes('.') ? [first * 256 + second, third * 256 + fourth] : [Number.parseInt(group, 16)];
}
