import { YoutubeConsent } from '../adapters/video-host-youtube/youtube-consent.ts';
import { readConfig } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { UpstreamError } from '../ports/upstream-error.ts';
import { connectChannel } from './connect-channel.ts';
import { NotConnected } from './not-connected.ts';

/**
 * `npm run youtube:connect`: gets the permission to publish on YouTube. What a person reads goes to standard error, the lines for the
 * configuration to standard output. Ends with 0 when connected, else with 1.
 */
try {
  const { YOUTUBE_API_URL, YOUTUBE_CLIENT_ID, YOUTUBE_CLIENT_SECRET } = readConfig();
  const lines = await connectChannel({
    terminal: { input: process.stdin, output: process.stderr },
    client: {
      ...(YOUTUBE_CLIENT_ID && { clientId: YOUTUBE_CLIENT_ID }),
      ...(YOUTUBE_CLIENT_SECRET && { clientSecret: YOUTUBE_CLIENT_SECRET }),
    },
    consentFor: (client, redirectUri) => new YoutubeConsent(client, YOUTUBE_API_URL, redirectUri),
  });
  process.stdout.write(`${lines}\n`);
} catch (error) {
  process.stderr.write(`${inWords(error)}\n`);
  process.exitCode = 1;
}

function inWords(error: unknown): string {
  const isForPeople = [ConfigError, NotConnected, UpstreamError].some((kind) => error instanceof kind);
  if (isForPeople) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
