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
   * @throws UpstreamError without a token or an answer; the signal's reason
   */
  async send(call: GoogleCall & { body?: string }, signal: AbortSignal): Promise<GoogleResponse> {
    const answer = await this.sendOnce(call, signal);
    return answer.status === UNAUTHORISED ? this.sendOnce(call, signal) : answer;
  }

  /**
   * Sends a call whose body cannot be repeated. After a 401 answer the next call uses a new token.
   */
  async sendOnce(call: GoogleCall, signal: AbortSignal): Promise<GoogleResponse> {
    const token = await this.#tokens.get(signal);
    const headers = { ...call.headers, authorization: `Bearer ${token}` };
    const answer = await this.#http.exchange({ ...call, headers }, signal);
    if (answer.status === UNAUTHORISED) this.#tokens.discard(token);
    return answer;
  }
}
