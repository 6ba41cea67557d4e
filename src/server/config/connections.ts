import type { Connection } from '#contracts/setup.ts';
import type { FunnelSource } from '#contracts/sources.ts';
import type { Config } from './config.ts';

/** Each connection needs all of its variables. */
const CONNECTIONS = {
  interviewService: { name: 'syncing', variables: ['INTERVIEW_SERVICE_URL'] },
  youtube: { name: 'YouTube', variables: ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN'] },
  transcription: { name: 'transcription', variables: ['TRANSCRIPTION_URL'] },
  summaries: { name: 'AI summaries', variables: ['SUMMARY_URL'] },
  applicationLink: { name: 'application links', variables: ['DESTINATION_URL'] },
} as const satisfies Record<Connection, { name: string; variables: readonly (keyof Config)[] }>;

const KEYS = Object.keys(CONNECTIONS) as Connection[];

const missing = (config: Config, connection: Connection): string[] =>
  CONNECTIONS[connection].variables.filter((name) => !config[name]);

export const findConnections = (config: Config): Record<Connection, boolean> =>
  Object.fromEntries(KEYS.map((key) => [key, missing(config, key).length === 0])) as Record<Connection, boolean>;

/**
 * For example `Works: sign-in, funnels, syncing. Not set up: YouTube (YOUTUBE_CLIENT_ID, …), ….`
 */
export function describeConnections(config: Config): string {
  const connected = findConnections(config);
  const works = KEYS.filter((key) => connected[key]).map((key) => CONNECTIONS[key].name);
  const rest = KEYS.filter((key) => !connected[key]).map(
    (key) => `${CONNECTIONS[key].name} (${missing(config, key).join(', ')})`,
  );
  return [
    `Works: ${['sign-in', 'funnels', ...works].join(', ')}.`,
    ...(rest.length > 0 ? [`Not set up: ${rest.join(', ')}.`] : []),
  ].join(' ');
}

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
