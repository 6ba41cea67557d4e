import type { Exchange } from './exchange.ts';

/** One stand-in on the sandbox's server. A new one is one module that makes a mount, and one line in `start-sandbox.ts`. */
export interface Mount {
  /** What faults call it. */
  name: string;
  /** Answers every path that is this or begins with this and a slash, such as `/media`. */
  prefix: string;
  /** Whether its requests are written into the journal and can be made to fail. */
  isOutsideWorld: boolean;
  /** The funnel that a path speaks of, so that faults can be limited to one. */
  funnelIdOf?(path: string): string | null;
  handle(exchange: Exchange): Promise<void> | void;
}

/** The mount that answers `path`. */
export const mountFor = (mounts: readonly Mount[], path: string): Mount | undefined =>
  mounts.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
