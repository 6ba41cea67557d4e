import { isLoopback } from '../loopback.ts';
import type { Config } from './config.ts';

/** Whether anybody but this machine reaches the product: it listens on another address than loopback, or a proxy stands in front. */
export const isReachable = ({ HOST, TRUST_PROXY }: Pick<Config, 'HOST' | 'TRUST_PROXY'>): boolean =>
  TRUST_PROXY || !isLoopback(HOST);
