import { z } from 'zod';
import type { AtsHttp } from '#server/adapters/ats-http/ats-http.ts';
import { loadOnce } from '#server/async/single-flight.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import type { UpstreamError } from '#server/ports/upstream-error.ts';
import { BullhornUrls } from './bullhorn-urls.ts';

/** The API user and the OAuth client, which Bullhorn's support creates. */
export interface BullhornClient {
  username: string;
  clientId: string;
  clientSecret: string;
}

export interface BullhornSession {
  token: string;
  /** The base of all calls, with a trailing slash. */
  restUrl: string;
}

export interface BullhornTokenPair {
  accessToken: string;
  /** Milliseconds since 1970. */
  accessExpiresAt: number;
  /** Can be used once. */
  refreshToken: string;
}

const headerValue = z.string().regex(/^[\x21-\x7e]+$/);
const LoginInfo = z.object({ oauthUrl: z.string(), restUrl: z.string() });
const Tokens = z.object({
  access_token: headerValue,
  refresh_token: headerValue,
  expires_in: z.number().positive().catch(600),
});
const Login = z.object({ BhRestToken: headerValue, restUrl: z.string() });
/** Allows for the time of a request and for clock differences. */
const RENEW_BEFORE_MS = 30_000;

/** Calls the sign-in of the data center, one attempt each. */
export class BullhornTokens {
  readonly #http: AtsHttp;
  readonly #client: BullhornClient;
  readonly urls: BullhornUrls;
  readonly #loginUrl: string;
  readonly #dataCenter = loadOnce(() => this.#findDataCenter());

  constructor(http: AtsHttp, client: BullhornClient, loginUrl: string) {
    this.#http = http;
    this.#client = client;
    this.#loginUrl = loginUrl;
    this.urls = new BullhornUrls(http, loginUrl);
    rememberSecret(client.clientSecret);
  }

  /** The page on which an administrator accepts the terms. */
  async consentUrl(redirectUri: string, state: string): Promise<string> {
    const { clientId: client_id } = this.#client;
    const query = new URLSearchParams({ client_id, response_type: 'code', redirect_uri: redirectUri, state });
    return `${(await this.#dataCenter()).oauthUrl}/authorize?${query}`;
  }

  /** @throws UpstreamError `rejected` if the code expired or was used */
  async exchangeCode(code: string, redirectUri: string): Promise<BullhornTokenPair> {
    const pair = await this.#request({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
    if (pair) return pair;
    throw this.#http.error(
      'rejected',
      'Bullhorn rejected the code, because it expired or was used before. Run this again.',
    );
  }

  /** Returns null if the token was used or revoked. */
  refresh(refreshToken: string): Promise<BullhornTokenPair | null> {
    rememberSecret(refreshToken);
    return this.#request({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** Returns null if the access token has expired. */
  async signIn(accessToken: string): Promise<BullhornSession | null> {
    rememberSecret(accessToken);
    const { restUrl } = await this.#dataCenter();
    const query = new URLSearchParams({ version: '*', access_token: accessToken });
    const response = await this.#limited({ method: 'GET', url: `${restUrl}/login?${query}` });
    if ([400, 401, 403].includes(response.status)) return null;
    const login = this.#http.read(response, Login);
    rememberSecret(login.BhRestToken);
    const admitted = this.urls.admit(login.restUrl);
    return { token: login.BhRestToken, restUrl: admitted.endsWith('/') ? admitted : `${admitted}/` };
  }

  async #findDataCenter(): Promise<z.output<typeof LoginInfo>> {
    const query = new URLSearchParams({ username: this.#client.username });
    const url = `${this.#loginUrl}/rest-services/loginInfo?${query}`;
    const response = await this.#limited({ method: 'GET', url });
    if (response.status === 400 || response.status === 404)
      throw this.#http.error(
        'rejected',
        "Bullhorn doesn't know this API user. Ask an admin to check BULLHORN_USERNAME.",
      );
    const { oauthUrl, restUrl } = this.#http.read(response, LoginInfo);
    const admit = (url: string) => this.urls.admit(url).replace(/\/$/, '');
    return { oauthUrl: admit(oauthUrl), restUrl: admit(restUrl) };
  }

  async #request(grant: Record<string, string>): Promise<BullhornTokenPair | null> {
    const { oauthUrl } = await this.#dataCenter();
    const { clientId: client_id, clientSecret: client_secret } = this.#client;
    const response = await this.#limited({
      method: 'POST',
      url: `${oauthUrl}/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...grant, client_id, client_secret }).toString(),
    });
    const { error } = (response.body ?? {}) as { error?: unknown };
    if (error === 'invalid_client' || error === 'unauthorized_client') throw this.#clientError();
    if (response.status === 400 || response.status === 401) return null;
    const issued = this.#http.read(response, Tokens);
    for (const secret of [issued.access_token, issued.refresh_token]) rememberSecret(secret);
    const lifetimeMs = issued.expires_in * 1_000;
    return {
      accessToken: issued.access_token,
      accessExpiresAt: Date.now() + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2),
      refreshToken: issued.refresh_token,
    };
  }

  #clientError(): UpstreamError {
    const message =
      'Bullhorn rejected our client. Ask an admin to check BULLHORN_CLIENT_ID and BULLHORN_CLIENT_SECRET.';
    return this.#http.error('rejected', message);
  }

  /**
   * Not abortable: other callers wait for it, and losing a refreshed token would end the sign-in.
   */
  #limited(call: Parameters<BullhornUrls['send']>[0]) {
    return this.#http.within(new AbortController().signal, (signal) => this.urls.send(call, signal));
  }
}
