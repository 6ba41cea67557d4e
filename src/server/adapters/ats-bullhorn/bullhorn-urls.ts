import { isIP } from 'node:net';
import type { AtsCall, AtsHttp, AtsResponse } from '#server/adapters/ats-http/ats-http.ts';
import { plainHost } from '#server/adapters/outside-http/private-addresses.ts';

const MAX_REDIRECTS = 3;

/**
 * Sends a call and follows redirects (307) to another data center. Keys are only sent to URLs below
 * the domain of BULLHORN_LOGIN_URL, with the same protocol.
 */
export class BullhornUrls {
  readonly #http: AtsHttp;
  readonly #login: URL;

  constructor(http: AtsHttp, loginUrl: string) {
    this.#http = http;
    this.#login = new URL(loginUrl);
  }

  async send(call: AtsCall, signal: AbortSignal): Promise<AtsResponse> {
    let url = call.url;
    for (let followed = 0; ; followed += 1) {
      const response = await this.#http.send({ ...call, url }, signal);
      if (response.status !== 307 || response.location === null || followed >= MAX_REDIRECTS) return response;
      url = this.admit(URL.parse(response.location, url)?.href ?? '');
    }
  }

  /** Checks a URL from Bullhorn. @throws UpstreamError if it is outside of the domain */
  admit(given: string): string {
    const url = URL.parse(given);
    if (url && url.protocol === this.#login.protocol && this.#isInDomain(url)) return url.href;
    const where = url ? url.host : 'an invalid address';
    throw this.#http.error(
      'bad_response',
      `Bullhorn redirected to ${where}, which isn't in the domain of BULLHORN_LOGIN_URL. Ask an admin to check BULLHORN_LOGIN_URL.`,
    );
  }

  #isInDomain({ hostname }: URL): boolean {
    const [own, host] = [plainHost(this.#login.hostname), plainHost(hostname)];
    const domain = own.split('.').slice(1).join('.');
    return host === own || (isIP(own) === 0 && domain.includes('.') && host.endsWith(`.${domain}`));
  }
}
