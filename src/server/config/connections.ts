import type { Connection } from '#contracts/setup.ts';
import { FUNNEL_SOURCES, type FunnelSource, SOURCES } from '#contracts/sources.ts';
import { SERVER_SOURCES } from '#server/sources/sources.ts';
import type { Config } from './config.ts';

/** Each connection needs all of its variables. */
const CONNECTIONS = {
  youtube: { name: 'YouTube', variables: ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN'] },
  transcription: { name: 'transcription', variables: ['TRANSCRIPTION_URL'] },
  summaries: { name: 'AI summaries', variables: ['SUMMARY_URL'] },
  mail: { name: 'mail', variables: ['SMTP_URL', 'MAIL_FROM'] },
  ats: {
    name: 'notes in the applicant tracking system',
    variables: ['BULLHORN_USERNAME', 'BULLHORN_CLIENT_ID', 'BULLHORN_CLIENT_SECRET'],
  },
  applicationLink: { name: 'application links', variables: ['DESTINATION_URL'] },
} as const satisfies Record<Connection, { name: string; variables: readonly (keyof Config)[] }>;

type Requirement = { name: string; variables: readonly string[] };

/** A key of Lever replaces the variables of Bullhorn. */
const connectionsOf = ({ LEVER_API_KEY }: Config): Record<Connection, Requirement> =>
  LEVER_API_KEY ? { ...CONNECTIONS, ats: { ...CONNECTIONS.ats, variables: ['LEVER_API_KEY'] } } : CONNECTIONS;
const missingOf = (config: Config, { variables }: Requirement): string[] =>
  variables.filter((name) => !config[name as keyof Config]);
const isComplete = (config: Config, requirement: Requirement): boolean => missingOf(config, requirement).length === 0;

export const findConnections = (config: Config): Record<Connection, boolean> =>
  Object.fromEntries(
    Object.entries(connectionsOf(config)).map(([key, connection]) => [key, isComplete(config, connection)]),
  ) as Record<Connection, boolean>;

/** The sources that this installation can read. */
export const findSources = (config: Config): FunnelSource[] =>
  FUNNEL_SOURCES.filter((source) => isComplete(config, SOURCES[source]));

/**
 * For example `Works: sign-in, funnels, Interview service. Not set up: YouTube (YOUTUBE_CLIENT_ID,
 * …), ….`
 */
export function describeConnections(config: Config): string {
  const all: Requirement[] = [...Object.values(SOURCES), ...Object.values(connectionsOf(config))];
  const works = all
    .filter((connection) => isComplete(config, connection))
    // The consent is in the database, which is not read here.
    .map((connection) => connection.name + (connection === CONNECTIONS.ats ? ' (after `npm run ats:connect`)' : ''));
  const rest = all
    .filter((connection) => !isComplete(config, connection))
    .map((connection) => `${connection.name} (${missingOf(config, connection).join(', ')})`);
  return [
    `Works: ${['sign-in', 'funnels', ...works].join(', ')}.`,
    ...(rest.length > 0 ? [`Not set up: ${rest.join(', ')}.`] : []),
  ].join(' ');
}

/** A variable that contains the URL of an outside service. */
export interface ServiceUrl {
  variable: string;
  url: string;
}

/** The URLs of outside services that an administrator has configured. */
export function configuredServices(config: Config): ServiceUrl[] {
  const isYouTubeSet = isComplete(config, CONNECTIONS.youtube);
  return [
    ...sourceUrls(config, (source) => SOURCES[source].variables.length > 0),
    ...serviceUrls(config, [
      'OIDC_ISSUER',
      'BREACHED_PASSWORDS_URL',
      ...(isYouTubeSet ? (['YOUTUBE_API_URL'] as const) : []),
      ...atsUrlVariables(config),
      'TRANSCRIPTION_URL',
      'SUMMARY_URL',
    ]),
  ];
}

function atsUrlVariables(config: Config): ('LEVER_URL' | 'BULLHORN_LOGIN_URL')[] {
  if (config.LEVER_API_KEY) return ['LEVER_URL'];
  return isComplete(config, CONNECTIONS.ats) ? ['BULLHORN_LOGIN_URL'] : [];
}

/** The URLs that sources have without any configuration. */
export const builtInServices = (config: Config): ServiceUrl[] =>
  sourceUrls(config, (source) => SOURCES[source].variables.length === 0);

const sourceUrls = (config: Config, isMeant: (source: FunnelSource) => boolean): ServiceUrl[] =>
  findSources(config)
    .filter(isMeant)
    .flatMap((source) => serviceUrls(config, SERVER_SOURCES[source].urls));

const serviceUrls = (config: Config, variables: readonly (keyof Config)[]): ServiceUrl[] =>
  variables.flatMap((variable) => {
    const url = config[variable];
    return typeof url === 'string' ? [{ variable, url }] : [];
  });
