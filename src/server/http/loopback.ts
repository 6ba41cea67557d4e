import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** True for loopback addresses, `localhost`, and names below it (RFC 6761, section 6.3). */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return /^(?:[a-z0-9_-]+\.)*localhost$/i.test(host);
  return loopback.check(host, `ipv${family as 4 | 6}`);
}
