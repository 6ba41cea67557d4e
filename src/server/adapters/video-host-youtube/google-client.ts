import type { AccessTokens } from './access-tokens.ts';
import type { GoogleAnswer, GoogleCall } from './google-call.ts';
import type { GoogleHttp } from './google-http.ts';

const UNAUTHORISED = 401;

/** Calls with our permission. One try each: the caller knows what may be repeated. */
export class GoogleClient {
  readonly #http: GoogleHttp;
  readonly #tokens: AccessTokens;

  constructor(http: GoogleHttp, tokens: AccessTokens) {
    this.#http = http;
    this.#tokens = tokens;
  }

  /**
   * A call that may be sent twice: a token that Google refuses is replaced once, as it may have ended early.
   * @throws UpstreamError when there is no token or no answer; the signal's reason
   */
  async send(call: GoogleCall & { body?: string }, signal: AbortSignal): Promise<GoogleAnswer> {
    const answer = await this.sendOnce(call, signal);
    return answer.status === UNAUTHORISED ? this.sendOnce(call, signal) : answer;
  }

  /** A call whose body is used up. After an answer of 401 the next one goes with another token. */
  async sendOnce(call: GoogleCall, signal: AbortSignal): Promise<GoogleAnswer> {
    const token = await this.#tokens.get(signal);
    const headers = { ...call.headers, authorization: `Bearer ${token}` };
    const answer = await this.#http.exchange({ ...call, headers }, signal);
    if (answer.status === UNAUTHORISED) this.#tokens.refused(token);
    return answer;
  }
}
