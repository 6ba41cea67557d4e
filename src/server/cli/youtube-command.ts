import { type GoogleAccess, YoutubeConsent } from '#server/adapters/video-host-youtube/youtube-consent.ts';
import { outgoingProxy } from '#server/compose-adapters.ts';
import { readConfig } from '#server/config/config.ts';
import { type Command, CommandError, parseArguments, type Terminal } from './command.ts';
import { askForConsent } from './consent.ts';
import { askQuestions } from './terminal.ts';

const USAGE = `Usage:
  npm run youtube:connect

Gets the permission to publish on a YouTube channel and prints the configuration lines to standard
output. It uses the OAuth client in YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET and asks for what is
missing. It changes nothing in this installation.
`;

const INTRODUCTION = `This connects the product with a YouTube channel. You need an OAuth client in Google Cloud, created once:

  1. Enable "YouTube Data API v3":    https://console.cloud.google.com/apis/library/youtube.googleapis.com
  2. Set up the consent screen:       https://console.cloud.google.com/auth/overview
     Publish it ("In production"): in "Testing", Google revokes the permission after 7 days.
  3. Create a client of type "Desktop app" and note its ID and secret:
                                      https://console.cloud.google.com/auth/clients
`;

/** Google accepts every port of loopback addresses. */
const ANY_PORT = 0;

export const youtubeCommand: Command = {
  usage: USAGE,
  async run(args, { environment, terminal }) {
    parseArguments(args, {});
    const config = readConfig(environment);
    return connectChannel({
      terminal,
      clientId: config.YOUTUBE_CLIENT_ID,
      clientSecret: config.YOUTUBE_CLIENT_SECRET,
      apiUrl: config.YOUTUBE_API_URL,
      proxy: outgoingProxy(config),
    });
  },
};

interface ConnectInput extends GoogleAccess {
  terminal: Terminal;
  clientId: string | undefined;
  clientSecret: string | undefined;
}

/**
 * Guides the administrator through the consent and returns the lines for the configuration.
 * @throws CommandError, UpstreamError
 */
export async function connectChannel(input: ConnectInput): Promise<string> {
  const { terminal } = input;
  const show = (text: string) => void terminal.output.write(`${text}\n`);
  show(INTRODUCTION);
  const client = await findClient(input);
  const { refreshToken, channel } = await askForConsent(terminal, ANY_PORT, async (redirectUrl) => {
    const consent = new YoutubeConsent(client, redirectUrl, input);
    return {
      instruction: 'Open this link and choose the channel to publish to:',
      url: consent.url,
      state: consent.state,
      exchangeCode: (code) => consent.exchangeCode(code),
      nameOf: ({ channel }) => channel,
    };
  });
  show(`\nConnected with the channel "${channel}". Add these lines to the configuration and restart the server:\n`);
  return [
    `YOUTUBE_CLIENT_ID=${client.clientId}`,
    `YOUTUBE_CLIENT_SECRET=${client.clientSecret}`,
    `YOUTUBE_REFRESH_TOKEN=${refreshToken}`,
  ].join('\n');
}

/** The configured OAuth client; asks for the parts that are not configured. */
async function findClient({ terminal, clientId, clientSecret }: ConnectInput) {
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (!terminal.input.isTTY)
    throw new CommandError('No terminal to ask in. Set YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET, then run again.');
  const missing = [...(clientId ? [] : ['Client ID: ']), ...(clientSecret ? [] : ['Client secret: '])];
  const answers = await askQuestions(terminal, missing);
  if (answers.includes('')) throw new CommandError('Enter both a client ID and a client secret.');
  return { clientId: clientId || (answers[0] ?? ''), clientSecret: clientSecret || (answers.at(-1) ?? '') };
}
