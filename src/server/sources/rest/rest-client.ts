import { parseJson } from '#contracts/rules/parse-json.ts';
import type { SourceAccess } from '#server/ports/interview-source.ts';
import type { UpstreamError } from '#server/ports/upstream-error.ts';
import { type ClientSettings, interviewsError, type RawResponse, SourceClient } from '#server/sources/source-client.ts';

export const BAD_RESPONSE =
  "The interview service's response can't be read. Ask an admin to check INTERVIEW_SERVICE_URL.";

/** Requests lists from the interview service with a funnel's key. */
export class RestClient {
  readonly #client: SourceClient;

  constructor(settings: ClientSettings) {
    const names = { service: 'The interview service', variable: 'INTERVIEW_SERVICE_URL' };
    this.#client = new SourceClient({ ...settings, ...names });
  }

  /**
   * Retries transient failures.
   * @throws UpstreamError, or the signal's reason
   */
  async get(url: URL, { apiKey, funnelId }: SourceAccess, signal: AbortSignal): Promise<RawResponse> {
    if (apiKey === '') throw this.#client.keyError();
    const call = { method: 'GET', url: url.href, headers: { authorization: `Bearer ${apiKey}` } } as const;
    const read = (response: RawResponse) => {
      if (response.status === 200) return response;
      throw this.#refusal(response, funnelId);
    };
    return this.#client.send(call, read, signal);
  }

  /** The message appears in the refresh alert and names the next step. */
  #refusal({ status, bytes }: RawResponse, funnelId: string): UpstreamError {
    if (status === 401) return this.#client.keyError();
    if (status === 403)
      return interviewsError(
        'unauthorised',
        `This API key has no access to funnel "${funnelId}". Check the key and the Funnel ID.`,
      );
    if (status === 404) return unknownFunnel(funnelId);
    const { message } = (parseJson(new TextDecoder().decode(bytes)) ?? {}) as { message?: unknown };
    return this.#client.refused(status, message);
  }
}

export const unknownFunnel = (funnelId: string): UpstreamError =>
  interviewsError('not_found', `The interview service has no funnel "${funnelId}". Check the Funnel ID.`);
