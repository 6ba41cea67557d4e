import type { Connection } from '#contracts/setup.ts';
import { type FunnelSource, SOURCE_NAMES } from '#contracts/sources.ts';
import type { Config } from './config.ts';

/** Each connection needs all of its variables. */
const CONNECTIONS = {
  interviewService: { name: 'interview service', variables: ['INTERVIEW_SERVICE_URL'] },
  youtube: { name: 'YouTube', variables: ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN'] },
  transcription: { name: 'transcription', variables: ['TRANSCRIPTION_URL'] },
  summaries: { name: 'AI summaries', variables: ['SUMMARY_URL'] },
  applicationLink: { name: 'application links', variables: ['DESTINATION_URL'] },
} as const satisfies Record<Connection, { name: string; variables: readonly (keyof Config)[] }>;

/** VideoAsk needs all of them. */
const VIDEOASK_VARIABLES = ['VIDEOASK_CLIENT_ID', 'VIDEOASK_CLIENT_SECRET', 'VIDEOASK_REFRESH_TOKEN'] as const;

const KEYS = Object.keys(CONNECTIONS) as Connection[];

const missingOf = (config: Config, variables: readonly (keyof Config)[]): string[] =>
  variables.filter((name) => !config[name]);
const missing = (config: Config, connection: Connection): string[] =>
  missingOf(config, CONNECTIONS[connection].variables);

export const findConnections = (config: Config): Record<Connection, boolean> =>
  Object.fromEntries(KEYS.map((key) => [key, missing(config, key).length === 0])) as Record<Connection, boolean>;

/**
 * For example `Works: sign-in, funnels, Hireflix. Not set up: YouTube (YOUTUBE_CLIENT_ID, …), ….`
 */
export function describeConnections(config: Config): string {
  const connected = findConnections(config);
  const works = KEYS.filter((key) => connected[key]).map((key) => CONNECTIONS[key].name);
  const rest = KEYS.filter((key) => !connected[key]).map(
    (key) => `${CONNECTIONS[key].name} (${missing(config, key).join(', ')})`,
  );
  const sources = findSources(config).flatMap((source) => (source === 'rest' ? [] : SOURCE_NAMES[source]));
  const forVideoAsk = missingOf(config, VIDEOASK_VARIABLES);
  if (forVideoAsk.length > 0) rest.unshift(`VideoAsk (${forVideoAsk.join(', ')})`);
  return [
    `Works: ${['sign-in', 'funnels', ...sources, ...works].join(', ')}.`,
    ...(rest.length > 0 ? [`Not set up: ${rest.join(', ')}.`] : []),
  ].join(' ');
}

/** The addresses of outside services that an administrator has configured. */
export function configuredServices(config: Config): { variable: string; url: string }[] {
  const { videoask, youtube } = {
    videoask: missingOf(config, VIDEOASK_VARIABLES).length === 0,
    youtube: missing(config, 'youtube').length === 0,
  };
  const used = {
    INTERVIEW_SERVICE_URL: true,
    VIDEOASK_URL: videoask,
    VIDEOASK_AUTH_URL: videoask,
    BREACHED_PASSWORDS_URL: true,
    YOUTUBE_API_URL: youtube,
    TRANSCRIPTION_URL: true,
    SUMMARY_URL: true,
  } as const;
  return (Object.keys(used) as (keyof typeof used)[]).flatMap((variable) => {
    const url = used[variable] ? config[variable] : undefined;
    return url ? [{ variable, url }] : [];
  });
}

/** The sources that this installation can read. */
export function findSources(config: Config): FunnelSource[] {
  const hasVideoAsk = missingOf(config, VIDEOASK_VARIABLES).length === 0;
  return [
    ...(config.INTERVIEW_SERVICE_URL ? ['rest' as const] : []),
    'hireflix',
    ...(hasVideoAsk ? ['videoask' as const] : []),
    'upload',
  ];
}
