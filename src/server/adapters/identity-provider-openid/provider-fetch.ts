import { request } from 'undici';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { brokenMessage, outsideAgent, readText } from '#server/adapters/outside-http/outside-call.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

/** Documents, keys and tokens are a few kilobytes. */
const MAX_RESPONSE_BYTES = 2 ** 20;
const CONNECTIONS = 4;

export const SERVICE = 'single sign-on';

/** The subset of `fetch` options that openid-client and jose use. */
interface Call {
  method: string;
  headers: Record<string, string> | Headers;
  body?: unknown;
  signal?: AbortSignal;
}

export type ProviderFetch = (url: string, call: Call) => Promise<Response>;

/**
 * Calls the provider without following redirects.
 * @throws UpstreamError `unavailable` without a response and for 5xx; `bad_response` for a huge one
 */
export function providerFetch(timeoutMs: number, proxy: OutgoingProxy | undefined): ProviderFetch {
  const dispatcher = outsideAgent({ connections: CONNECTIONS }, proxy);
  return async (url, { method, headers, body, signal: outer }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = outer ? AbortSignal.any([timeout, outer]) : timeout;
    try {
      const response = await request(url, {
        ...{ method, dispatcher, signal, headers: Object.fromEntries(new Headers(headers)) },
        body: body === null || body === undefined ? null : String(body),
      });
      const text = await readText(response.body, MAX_RESPONSE_BYTES);
      const { statusCode: status } = response;
      if (status >= 500)
        throw new UpstreamError(SERVICE, 'unavailable', `The sign-in provider is unavailable (${status}).`);
      const received = Object.entries(response.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
      );
      return new Response(status === 204 || status === 304 ? null : text, { status, headers: received });
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      const broken = { service: 'The sign-in provider', variable: 'OIDC_ISSUER', timeoutMs, isTimeout: signal.aborted };
      throw new UpstreamError(SERVICE, 'unavailable', brokenMessage({ ...broken, error }), { cause: error });
    }
  };
}
