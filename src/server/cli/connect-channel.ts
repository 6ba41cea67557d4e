import { askForClient, type OAuthClient } from './ask-for-client.ts';
import { listenOnLoopback, type Visit } from './loopback.ts';
import { NothingDone } from './nothing-done.ts';
import { acceptPastedAddress } from './pasted-address.ts';
import type { Terminal } from './read-password.ts';

/** A request for permission, as the video host's adapter makes it. */
export interface Consent {
  /** What the person opens in a browser. */
  address: string;
  state: string;
  /** @throws UpstreamError */
  finish(code: string): Promise<Connected>;
}

interface Connected {
  refreshToken: string;
  channel: string;
}

interface Asked {
  terminal: Terminal;
  /** What the configuration has of them. */
  client: Partial<OAuthClient>;
  consentFor(client: OAuthClient, redirectUri: string): Consent;
}

const INTRODUCTION = `This connects the product with a YouTube channel. It needs a client of your own in Google Cloud, made once:

  1. Enable "YouTube Data API v3":    https://console.cloud.google.com/apis/library/youtube.googleapis.com
  2. Set up the consent screen:       https://console.cloud.google.com/auth/overview
     Publish it ("In production"): in "Testing", Google ends the permission after 7 days.
  3. Create a client of the type "Desktop app", which has an id and a secret:
                                      https://console.cloud.google.com/auth/clients
`;

/**
 * Walks a person through giving the permission, and resolves with the lines for the configuration.
 * @throws NothingDone, UpstreamError
 */
export async function connectChannel({ terminal, client: known, consentFor }: Asked): Promise<string> {
  const say = (text: string) => void terminal.output.write(`${text}\n`);
  say(INTRODUCTION);
  const client = await askForClient(terminal, known);
  const loopback = await listenOnLoopback((visit) => answer.take(visit));
  const answer = new Answer(consentFor(client, loopback.address));
  say(`Open this address and choose the account or channel that shall publish:\n\n  ${answer.consent.address}\n`);
  const pasting = acceptPastedAddress(terminal, (visit) => answer.take(visit));
  try {
    const { refreshToken, channel } = await Promise.race([answer.connected, pasting.givenUp]);
    say(
      `\nConnected with the channel "${channel}". Put these lines into the configuration and start the product again:\n`,
    );
    return variablesOf(client, refreshToken);
  } finally {
    pasting.stop();
    loopback.close();
  }
}

/** What the browser comes back with. Only the first answer to our own request counts. */
class Answer {
  readonly consent: Consent;
  readonly #settled = Promise.withResolvers<Connected>();
  #isTaken = false;

  constructor(consent: Consent) {
    this.consent = consent;
  }

  get connected(): Promise<Connected> {
    return this.#settled.promise;
  }

  async take(visit: Visit): Promise<string | null> {
    if (this.#isTaken || visit.get('state') !== this.consent.state) return null;
    this.#isTaken = true;
    try {
      const code = visit.get('code');
      if (!code) throw new NothingDone('The permission was not given. Nothing was changed.');
      const connected = await this.consent.finish(code);
      this.#settled.resolve(connected);
      return `Connected with ${connected.channel}. This window can be closed; the rest is in the terminal.`;
    } catch (error) {
      this.#settled.reject(error);
      return 'This did not work. The terminal says why; this window can be closed.';
    }
  }
}

const variablesOf = ({ clientId, clientSecret }: OAuthClient, refreshToken: string) =>
  [
    `YOUTUBE_CLIENT_ID=${clientId}`,
    `YOUTUBE_CLIENT_SECRET=${clientSecret}`,
    `YOUTUBE_REFRESH_TOKEN=${refreshToken}`,
  ].join('\n');
