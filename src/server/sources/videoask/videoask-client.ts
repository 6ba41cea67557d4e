import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { singleFlight } from '#server/async/single-flight.ts';
import { unlessAborted } from '#server/async/unless-aborted.ts';
import type { SourceAccess } from '#server/ports/interview-source.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import {
  type ClientSettings,
  interviewsError,
  type JsonResponse,
  SourceClient,
} from '#server/sources/source-client.ts';

export interface VideoAskClientOptions extends ClientSettings {
  baseUrl: string;
  authUrl: string;
  credentials: { clientId: string; clientSecret: string; refreshToken: string };
  /** Between the starts of two calls. */
  paceMs?: number;
}

interface AccessToken {
  value: string;
  expiresAt: number;
}

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().catch(900) });
/** The time between calls that other clients keep. */
const PACE_MS = 300;
/** Renewed this much before it expires. */
const TOKEN_MARGIN_MS = 60_000;

/** Calls VideoAsk with access tokens that are renewed when they expire or are rejected. */
export class VideoAskClient {
  readonly vendor: SourceClient;
  readonly #options: VideoAskClientOptions;
  #token: AccessToken | null = null;
  readonly #requestToken = singleFlight(() => this.#renewToken());
  #nextCallAt = 0;

  constructor(options: VideoAskClientOptions) {
    this.#options = options;
    this.vendor = new SourceClient({ ...options, service: 'VideoAsk', variable: 'VIDEOASK_URL' });
  }

  /**
   * Resolves with the body of the response, or with null for 404.
   * @throws UpstreamError, or the signal's reason
   */
  async get(path: string, { apiKey }: Pick<SourceAccess, 'apiKey'>, signal: AbortSignal): Promise<unknown> {
    if (apiKey === '') throw this.vendor.keyError();
    let response = await this.#call(path, apiKey, signal);
    if (response.status === 401 || response.status === 403) {
      this.#token = null;
      response = await this.#call(path, apiKey, signal);
    }
    if (response.status === 401 || response.status === 403) throw this.vendor.keyError();
    if (response.status === 404) return null;
    const { detail } = (response.body ?? {}) as { detail?: unknown };
    if (response.status !== 200) throw this.vendor.refused(response.status, detail);
    if (typeof response.body !== 'object' || response.body === null) throw this.vendor.badResponse();
    return response.body;
  }

  async #call(path: string, apiKey: string, signal: AbortSignal): Promise<JsonResponse> {
    const token = await this.#currentToken(signal);
    await this.#pace(signal);
    const headers = { authorization: `Bearer ${token}`, 'organization-id': apiKey };
    const call = { method: 'GET', url: `${this.#options.baseUrl}${path}`, headers } as const;
    return this.vendor.sendForJson(call, (response) => response, signal);
  }

  /** Calls start in turn, `paceMs` apart. */
  async #pace(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const at = Math.max(now, this.#nextCallAt);
    this.#nextCallAt = at + (this.#options.paceMs ?? PACE_MS);
    if (at > now) await sleep(at - now, undefined, { signal });
  }

  async #currentToken(signal: AbortSignal): Promise<string> {
    // A caller's signal does not abort the request, because other callers may wait for it.
    if (!this.#token || this.#token.expiresAt <= Date.now())
      this.#token = await unlessAborted(this.#requestToken(), signal);
    return this.#token.value;
  }

  async #renewToken(): Promise<AccessToken> {
    const { authUrl, credentials } = this.#options;
    const body = JSON.stringify({
      grant_type: 'refresh_token',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      refresh_token: credentials.refreshToken,
    });
    for (const secret of [credentials.clientSecret, credentials.refreshToken]) rememberSecret(secret);
    const headers = { 'content-type': 'application/json' };
    const call = { method: 'POST', url: `${authUrl}/oauth/token`, headers, body } as const;
    const response = await this.vendor.sendForJson(call, (response) => response, new AbortController().signal);
    if (response.status !== 200)
      throw interviewsError(
        'unauthorised',
        'VideoAsk rejected the sign-in of this server. Ask an admin to check VIDEOASK_CLIENT_ID, VIDEOASK_CLIENT_SECRET and VIDEOASK_REFRESH_TOKEN.',
      );
    const { access_token: value, expires_in: seconds } = this.vendor.parse(Token, response.body);
    return { value, expiresAt: Date.now() + seconds * 1_000 - TOKEN_MARGIN_MS };
  }
}
