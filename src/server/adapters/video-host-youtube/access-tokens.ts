import { z } from 'zod';
import { singleFlight } from '#server/async/single-flight.ts';
import { unlessAborted } from '#server/async/unless-aborted.ts';
import type { UpstreamError } from '#server/ports/upstream-error.ts';
import type { GoogleResponse } from './google-call.ts';
import type { GoogleHttp } from './google-http.ts';
import { badResponse, CONNECT_AGAIN, youtubeError, youtubeRefusalError } from './youtube-error.ts';

/**
 * The credentials of our OAuth client at Google, and the permission that an account granted to it.
 * All of them are secret.
 */
export interface Permission {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

/** The token is sent in a header, so it must be printable. */
const Token = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number().catch(3_600) });
/** Tokens are renewed early, because requests take time and clocks differ. */
const RENEW_BEFORE_MS = 60_000;

/**
 * Short-lived access tokens for a lasting permission
 * (https://developers.google.com/identity/protocols/oauth2/native-app#offline).
 * All callers share one token until shortly before it expires, and concurrent callers share one
 * exchange.
 */
export class AccessTokens {
  readonly #http: GoogleHttp;
  readonly #tokenUrl: string;
  readonly #permission: Permission;
  #current: { token: string; validUntil: number } | null = null;
  readonly #exchange = singleFlight(() => this.#renew());

  constructor(http: GoogleHttp, tokenUrl: string, permission: Permission) {
    this.#http = http;
    this.#tokenUrl = tokenUrl;
    this.#permission = permission;
  }

  /** One try. @throws UpstreamError, or the signal's reason */
  async get(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.#current && Date.now() < this.#current.validUntil) return this.#current.token;
    // A caller's signal does not abort the exchange, because other callers may wait for it.
    return unlessAborted(this.#exchange(), signal);
  }

  /** Drops a token that Google refused, so that the next caller gets a new one. */
  discard(token: string): void {
    if (this.#current?.token === token) this.#current = null;
  }

  async #renew(): Promise<string> {
    const { clientId, clientSecret, refreshToken } = this.#permission;
    const response = await requestTokens(this.#http, this.#tokenUrl, {
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
      grant_type: 'refresh_token',
    });
    const token = Token.safeParse(response.json);
    if (!token.success) throw badResponse();
    const lifetimeMs = token.data.expires_in * 1_000;
    const validUntil = Date.now() + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2);
    this.#current = { token: token.data.access_token, validUntil };
    return token.data.access_token;
  }
}

export const neverAborts = new AbortController().signal;

/**
 * Calls the token endpoint; one try.
 * @throws UpstreamError, also when Google does not grant the token
 */
export async function requestTokens(
  http: GoogleHttp,
  url: string,
  form: Record<string, string>,
): Promise<GoogleResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  const response = await http.exchange({ method: 'POST', url, headers, body }, neverAborts);
  if (response.status !== 200) throw grantError(response, form.grant_type);
  return response;
}

const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client', 'deleted_client', 'disabled_client'];
const NotGranted = z.object({ error: z.string() });

/** RFC 6749, section 5.2. */
function grantError(response: GoogleResponse, grant: string | undefined): UpstreamError {
  const reason = NotGranted.safeParse(response.json).data?.error ?? '';
  if (reason === 'invalid_grant' && grant === 'authorization_code')
    return youtubeError('rejected', 'Google rejected the code, because it expired or was used before. Start again.');
  if (reason === 'invalid_grant') return youtubeError('unauthorised', `YouTube access has expired. ${CONNECT_AGAIN}`);
  if (CLIENT_ERRORS.includes(reason))
    return youtubeError(
      'unauthorised',
      'Google rejected our client. Ask an admin to check YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET.',
    );
  return youtubeRefusalError(response);
}
