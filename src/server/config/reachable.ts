import { BlockList, isIP } from 'node:net';
import type { Config } from './config.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether anybody but this machine reaches the product: it listens on another address than loopback, or a proxy stands in front. */
export function isReachable({ HOST, TRUST_PROXY }: Pick<Config, 'HOST' | 'TRUST_PROXY'>): boolean {
  const family = isIP(HOST);
  const isLoopback = family === 0 ? HOST.toLowerCase() === 'localhost' : loopback.check(HOST, `ipv${family as 4 | 6}`);
  return TRUST_PROXY || !isLoopback;
}
