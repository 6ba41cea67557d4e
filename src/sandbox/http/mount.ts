import type { Exchange } from './exchange.ts';

/**
 * One simulated service on the sandbox's server. To add one, write a module that creates a mount
 * and add a line to `start-sandbox.ts`.
 */
export interface Mount {
  /** The name that faults use. */
  name: string;
  /** Handles this path and every path below it, such as `/media`. */
  prefix: string;
  /** True for the sandbox's own pages: the journal and faults are only for the outside world. */
  isInternal?: boolean;
  /** Returns the funnel in a path, so that faults can be limited to one. */
  funnelIdOf?(path: string): string | null;
  handle(exchange: Exchange): Promise<void> | void;
}

export const mountFor = (mounts: readonly Mount[], path: string): Mount | undefined =>
  mounts.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
