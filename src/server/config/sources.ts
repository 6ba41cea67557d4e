import type { FunnelSource } from '#contracts/sources.ts';
import type { Config } from './config.ts';

/** The sources that this installation can read. */
export const findSources = (config: Config): FunnelSource[] =>
  config.INTERVIEW_SERVICE_URL === undefined ? ['upload'] : ['rest', 'upload'];
