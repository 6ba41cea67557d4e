import type { Connection } from '#contracts/setup.ts';
import { FUNNEL_SOURCES, type FunnelSource, SOURCES } from '#contracts/sources.ts';
import type { Config } from './config.ts';

/** Each connection needs all of its variables. */
const CONNECTIONS = {
  youtube: { name: 'YouTube', variables: ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN'] },
  transcription: { name: 'transcription', variables: ['TRANSCRIPTION_URL'] },
  summaries: { name: 'AI summaries', variables: ['SUMMARY_URL'] },
  applicationLink: { name: 'application links', variables: ['DESTINATION_URL'] },
} as const satisfies Record<Connection, { name: string; variables: readonly (keyof Config)[] }>;

const KEYS = Object.keys(CONNECTIONS) as Connection[];

const missingOf = (config: Config, variables: readonly string[]): string[] =>
  variables.filter((name) => !config[name as keyof Config]);
const isComplete = (config: Config, { variables }: { variables: readonly string[] }): boolean =>
  missingOf(config, variables).length === 0;

export const findConnections = (config: Config): Record<Connection, boolean> =>
  Object.fromEntries(KEYS.map((key) => [key, isComplete(config, CONNECTIONS[key])])) as Record<Connection, boolean>;

/** The sources that this installation can read. */
export const findSources = (config: Config): FunnelSource[] =>
  FUNNEL_SOURCES.filter((source) => isComplete(config, SOURCES[source]));

/**
 * For example `Works: sign-in, funnels, Hireflix. Not set up: YouTube (YOUTUBE_CLIENT_ID, …), ….`
 */
export function describeConnections(config: Config): string {
  const all = [...Object.values(SOURCES), ...Object.values(CONNECTIONS)];
  const works = all.filter((connection) => isComplete(config, connection)).map(({ name }) => name);
  const rest = all.flatMap(({ name, variables }) => {
    const missing = missingOf(config, variables);
    return missing.length > 0 ? [`${name} (${missing.join(', ')})`] : [];
  });
  return [
    `Works: ${['sign-in', 'funnels', ...works].join(', ')}.`,
    ...(rest.length > 0 ? [`Not set up: ${rest.join(', ')}.`] : []),
  ].join(' ');
}

/** The addresses of outside services that an administrator has configured. */
export function configuredServices(config: Config): { variable: string; url: string }[] {
  const { videoask, youtube } = {
    videoask: isComplete(config, SOURCES.videoask),
    youtube: isComplete(config, CONNECTIONS.youtube),
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
