import { isIPv6 } from 'node:net';

/**
 * Returns the /64 network of an IPv6 address, because a client owns at least that much (RFC
 * 6177). IPv4 addresses, even when written as IPv6, are returned as they are.
 */
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

/**
 * Returns the /48 network of a /64 network, which is what one site usually gets (RFC 6177). IPv4
 * addresses are returned as they are.
 */
export function siteOf(network: string): string {
  if (!network.endsWith('::/64')) return network;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}

/** `::ffff:0:0/96`, RFC 4291, section 2.5.5.2. */
const isMappedIPv4 = (groups: readonly number[]) => groups.slice(0, 6).join() === [0, 0, 0, 0, 0, 0xff_ff].join();

/**
 * Returns the eight numbers of an address in any notation (RFC 4291, section 2.2). ipaddr.js would
 * read `::1.2.3.4` as the IPv4 address.
 */
function groupsOf(address: string): number[] {
  // URLs write a trailing IPv4 address as two groups.
  const { hostname } = new URL(`http://[${address}]`);
  const halves = hostname.slice(1, -1).split('::');
  const [left = [], right] = halves.map((half) => half.split(':').filter(Boolean).map(parseHex));
  return right ? [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right] : left;
}

const parseHex = (group: string): number => Number.parseInt(group, 16);
