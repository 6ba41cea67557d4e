import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { askForTokens } from './access-tokens.ts';
import { GoogleHttp } from './google-http.ts';
import { youtubeAddresses } from './youtube-addresses.ts';
import { badAnswer, refusalError, youtubeError } from './youtube-error.ts';

/** A client of the type "Desktop app" in Google Cloud. */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

/** What a person allowed: the lasting permission, and the name of the channel that it is for. */
export interface Connected {
  refreshToken: string;
  channel: string;
}

const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload';
/** Reading is needed to see how far YouTube has processed a video. */
const READ = 'https://www.googleapis.com/auth/youtube.readonly';
/** Deleting needs more than uploading: without it, published videos of erased candidates have to be deleted by hand. */
const DELETE = 'https://www.googleapis.com/auth/youtube.force-ssl';
const TIMEOUT_MS = 30_000;
const never = new AbortController().signal;

const Granted = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  scope: z.string().default(`${UPLOAD} ${READ}`),
});
const Channels = z.object({ items: z.array(z.object({ snippet: z.object({ title: z.string() }) })).default([]) });

/**
 * One request for permission in a browser that comes back to this machine: https://developers.google.com/identity/protocols/oauth2/native-app,
 * with PKCE (RFC 7636) so that whoever overhears the code cannot use it, and a state so that nobody else's answer is taken.
 */
export class YoutubeConsent {
  readonly #client: OAuthClient;
  readonly #apiUrl: string;
  readonly #redirectUri: string;
  readonly #verifier = randomBytes(32).toString('base64url');
  /** Comes back with the answer. */
  readonly state = randomBytes(16).toString('base64url');

  constructor(client: OAuthClient, apiUrl: string, redirectUri: string) {
    this.#client = client;
    this.#apiUrl = apiUrl;
    this.#redirectUri = redirectUri;
  }

  /** What the person opens. */
  get address(): string {
    const query = new URLSearchParams({
      client_id: this.#client.clientId,
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      scope: `${UPLOAD} ${READ} ${DELETE}`,
      state: this.state,
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      // Together they make Google give a refresh token, also to an account that has allowed this before.
      access_type: 'offline',
      prompt: 'consent',
    });
    return `${youtubeAddresses(this.#apiUrl).consent}?${query}`;
  }

  /** Exchanges the code that came back, and looks whether uploads will have a channel. @throws UpstreamError */
  async finish(code: string): Promise<Connected> {
    const http = new GoogleHttp(TIMEOUT_MS);
    const answer = await askForTokens(http, youtubeAddresses(this.#apiUrl).token, {
      client_id: this.#client.clientId,
      client_secret: this.#client.clientSecret,
      code,
      code_verifier: this.#verifier,
      redirect_uri: this.#redirectUri,
      grant_type: 'authorization_code',
    });
    const granted = Granted.safeParse(answer.json).data;
    if (!granted) throw badAnswer();
    const scopes = granted.scope.split(' ');
    if (!scopes.includes(UPLOAD) || !scopes.includes(READ))
      throw youtubeError('rejected', 'Not everything was allowed. Run this again and leave all boxes ticked.');
    if (!granted.refresh_token)
      throw youtubeError(
        'rejected',
        'Google gave no lasting permission. Remove this program at https://myaccount.google.com/permissions and run this again.',
      );
    return { refreshToken: granted.refresh_token, channel: await this.#channel(http, granted.access_token) };
  }

  async #channel(http: GoogleHttp, token: string): Promise<string> {
    const url = `${youtubeAddresses(this.#apiUrl).channels}?part=snippet&mine=true`;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await http.exchange({ method: 'GET', url, headers }, never);
    if (answer.status !== 200) throw refusalError(answer);
    const [channel] = Channels.safeParse(answer.json).data?.items ?? [];
    if (channel) return channel.snippet.title;
    throw youtubeError(
      'rejected',
      'This Google account has no YouTube channel. Create one at https://www.youtube.com, or run this again and choose another account.',
    );
  }
}
