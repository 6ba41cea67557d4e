import type { FunnelSource } from '#contracts/sources.ts';
import type { Config } from './config.ts';

/** The sources that this installation can read. */
export function findSources(config: Config): FunnelSource[] {
  const { VIDEOASK_CLIENT_ID, VIDEOASK_CLIENT_SECRET, VIDEOASK_REFRESH_TOKEN } = config;
  const hasVideoAsk = VIDEOASK_CLIENT_ID && VIDEOASK_CLIENT_SECRET && VIDEOASK_REFRESH_TOKEN;
  return [
    ...(config.INTERVIEW_SERVICE_URL ? ['rest' as const] : []),
    'hireflix',
    ...(hasVideoAsk ? ['videoask' as const] : []),
    'upload',
  ];
}
