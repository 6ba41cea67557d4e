import { readConfig } from '../config/config.ts';
import type { OAuthClient } from './ask-for-client.ts';
import { type Consent, connectChannel } from './connect-channel.ts';
import type { Terminal } from './read-password.ts';
import { UsageError } from './usage-error.ts';

export const USAGE = `Usage:
  npm run youtube:connect

Gets the permission to publish on a YouTube channel, and prints the lines for the configuration to standard output. The client that asks for
it is the one of YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET; what is not set is asked for. Nothing of the installation is changed.
`;

interface Asked {
  environment: NodeJS.ProcessEnv;
  terminal: Terminal;
  /** Asks for permission at the YouTube of this address. */
  consentFor(client: OAuthClient, apiUrl: string, redirectUri: string): Consent;
}

/** Answers the lines for the configuration. @throws UsageError, ConfigError, NothingDone, UpstreamError */
export async function runYoutubeCommand(args: string[], { environment, terminal, consentFor }: Asked): Promise<string> {
  if (['help', '--help', '-h'].includes(args[0] ?? '')) return USAGE;
  if (args.length > 0) throw new UsageError('Too many words.');
  const { YOUTUBE_API_URL, YOUTUBE_CLIENT_ID, YOUTUBE_CLIENT_SECRET } = readConfig(environment);
  return connectChannel({
    terminal,
    client: {
      ...(YOUTUBE_CLIENT_ID && { clientId: YOUTUBE_CLIENT_ID }),
      ...(YOUTUBE_CLIENT_SECRET && { clientSecret: YOUTUBE_CLIENT_SECRET }),
    },
    consentFor: (client, redirectUri) => consentFor(client, YOUTUBE_API_URL, redirectUri),
  });
}
