import type { AccessTokens } from './access-tokens.ts';
import type { GoogleCall, GoogleResponse } from './google-call.ts';
import type { GoogleHttp } from './google-http.ts';

const UNAUTHORISED = 401;

/**
 * Sends calls with our permission. Does not retry, because only the caller knows which calls may be
 * repeated.
 */
export class GoogleClient {
  readonly #http: GoogleHttp;
  readonly #tokens: AccessTokens;

  constructor(http: GoogleHttp, tokens: AccessTokens) {
    this.#http = http;
    this.#tokens = tokens;
  }

  /**
   * Sends a call that may be repeated: when Google refuses the token, retries once with a new one.
   * @throws UpstreamError without a token or a response; the signal's reason
   */
  async send(call: GoogleCall & { body?: string }, signal: AbortSignal): Promise<GoogleResponse> {
    const response = await this.sendOnce(call, signal);
    return response.status === UNAUTHORISED ? this.sendOnce(call, signal) : response;
  }

  /**
   * Sends a call whose body cannot be repeated. After a 401 response the next call uses a new
   * token.
   */
  async sendOnce(call: GoogleCall, signal: AbortSignal): Promise<GoogleResponse> {
    const token = await this.#tokens.get(signal);
    const headers = { ...call.headers, authorization: `Bearer ${token}` };
    const response = await this.#http.exchange({ ...call, headers }, signal);
    if (response.status === UNAUTHORISED) this.#tokens.discard(token);
    return response;
  }
}
