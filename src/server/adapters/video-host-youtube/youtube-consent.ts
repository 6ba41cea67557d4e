import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { neverAborts, type Permission, requestTokens } from './access-tokens.ts';
import { GoogleHttp } from './google-http.ts';
import { badResponse, youtubeError, youtubeRefusalError } from './youtube-error.ts';
import { type YoutubeUrls, youtubeUrls } from './youtube-urls.ts';

/** A client of the type "Desktop app" in Google Cloud. */
type OAuthClient = Pick<Permission, 'clientId' | 'clientSecret'>;

/** How Google is reached. */
export interface GoogleAccess {
  apiUrl: string;
  proxy?: OutgoingProxy | undefined;
}

/** The permission that a user granted, and the name of its channel. */
export interface GrantedPermission {
  refreshToken: string;
  channel: string;
}

const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload';
/** Required to read the processing state of a video. */
const READ = 'https://www.googleapis.com/auth/youtube.readonly';
/**
 * Required to delete videos; without it, videos of erased candidates have to be deleted by hand.
 */
const DELETE = 'https://www.googleapis.com/auth/youtube.force-ssl';
const TIMEOUT_MS = 30_000;

const Granted = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  scope: z.string().default(`${UPLOAD} ${READ}`),
});
const Channels = z.object({ items: z.array(z.object({ snippet: z.object({ title: z.string() }) })).default([]) });

/**
 * Requests permission in a browser that redirects back to this machine
 * (https://developers.google.com/identity/protocols/oauth2/native-app). PKCE (RFC 7636) makes an
 * intercepted code useless, and the state rejects responses to other requests.
 */
export class YoutubeConsent {
  readonly #client: OAuthClient;
  readonly #urls: YoutubeUrls;
  readonly #redirectUri: string;
  readonly #http: GoogleHttp;
  readonly #verifier = randomBytes(32).toString('base64url');
  /** Google returns it with the response. */
  readonly state = randomBytes(16).toString('base64url');

  constructor(client: OAuthClient, redirectUri: string, { apiUrl, proxy }: GoogleAccess) {
    this.#client = client;
    this.#urls = youtubeUrls(apiUrl);
    this.#redirectUri = redirectUri;
    this.#http = new GoogleHttp(TIMEOUT_MS, proxy);
  }

  /** The page that the user opens. */
  get url(): string {
    const query = new URLSearchParams({
      client_id: this.#client.clientId,
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      scope: `${UPLOAD} ${READ} ${DELETE}`,
      state: this.state,
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      // Both are required for a refresh token if the account has granted permission before.
      access_type: 'offline',
      prompt: 'consent',
    });
    return `${this.#urls.consent}?${query}`;
  }

  /** Exchanges the code for a permission and reads its channel. @throws UpstreamError */
  async exchangeCode(code: string): Promise<GrantedPermission> {
    const response = await requestTokens(this.#http, this.#urls.token, {
      client_id: this.#client.clientId,
      client_secret: this.#client.clientSecret,
      code,
      code_verifier: this.#verifier,
      redirect_uri: this.#redirectUri,
      grant_type: 'authorization_code',
    });
    const granted = Granted.safeParse(response.json).data;
    if (!granted) throw badResponse();
    const scopes = granted.scope.split(' ');
    if (!scopes.includes(UPLOAD) || !scopes.includes(READ))
      throw youtubeError('rejected', 'Some permissions were not granted. Run this again and leave all boxes checked.');
    if (!granted.refresh_token)
      throw youtubeError(
        'rejected',
        "Google didn't grant offline access. Remove this app at https://myaccount.google.com/permissions and run this again.",
      );
    return { refreshToken: granted.refresh_token, channel: await this.#findChannel(granted.access_token) };
  }

  async #findChannel(token: string): Promise<string> {
    const url = `${this.#urls.channels}?part=snippet&mine=true`;
    const headers = { authorization: `Bearer ${token}` };
    const response = await this.#http.exchange({ method: 'GET', url, headers }, neverAborts);
    if (response.status !== 200) throw youtubeRefusalError(response);
    const [channel] = Channels.safeParse(response.json).data?.items ?? [];
    if (channel) return channel.snippet.title;
    throw youtubeError(
      'rejected',
      'This Google account has no YouTube channel. Create one at https://www.youtube.com, or run this again and choose another account.',
    );
  }
}
