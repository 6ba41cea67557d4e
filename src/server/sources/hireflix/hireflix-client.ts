import { LRUCache } from 'lru-cache';
import { isHeaderValue, quotedMessage } from '#server/adapters/outside-http/outside-call.ts';
import {
  type ClientSettings,
  interviewsError,
  type JsonResponse,
  SourceClient,
} from '#server/sources/source-client.ts';
import type { Documents } from './documents.ts';

export interface HireflixClientOptions extends ClientSettings {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Called once for each funnel, when the service no longer has a field. */
  onFewerFields: (message: string) => void;
  /** The time after which a larger document is tried again. */
  levelAgeMs?: number;
}

interface GraphQLProblem {
  message?: unknown;
  extensions?: { code?: unknown } | null;
}

/** A field that the schema does not have. */
class UnknownField extends Error {
  override name = 'UnknownField';
}

const NO_ACCESS = /\b(unauthori[sz]ed|unauthenticated|forbidden|not authenticated|api key)\b/i;
const RETRYABLE_CODES: readonly unknown[] = ['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT'];

type Level = 0 | 1 | 2;
/** The response may have been a mistake, so the largest document is tried again after this time. */
const LEVEL_AGE_MS = 60 * 60_000;
const MAX_FUNNELS = 10_000;

/** Executes GraphQL documents. Uses smaller ones for a funnel for which a field is missing. */
export class HireflixClient {
  readonly vendor: SourceClient;
  readonly #options: HireflixClientOptions;
  /** Keyed by API key and position. */
  readonly #levels: LRUCache<string, Level>;
  readonly #reported = new LRUCache<string, true>({ max: MAX_FUNNELS });

  constructor(options: HireflixClientOptions) {
    this.#options = options;
    const ttl = options.levelAgeMs ?? LEVEL_AGE_MS;
    this.#levels = new LRUCache({ max: MAX_FUNNELS, ttl });
    this.vendor = new SourceClient({ ...options, service: 'Hireflix', variable: 'HIREFLIX_URL' });
  }

  /** @throws UpstreamError, or the signal's reason */
  async query(
    apiKey: string,
    { documents, variables }: { documents: Documents; variables: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<unknown> {
    if (apiKey === '' || !isHeaderValue(apiKey)) throw this.vendor.keyError();
    const funnel = JSON.stringify([apiKey, variables.position]);
    const level = this.#levels.get(funnel) ?? 0;
    const call = {
      method: 'POST',
      url: `${this.#options.baseUrl}/me`,
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ query: documents[level], variables }),
    } as const;
    try {
      return await this.vendor.sendForJson(call, (response) => this.#dataOf(response), signal);
    } catch (error) {
      if (!(error instanceof UnknownField)) throw error;
      if (level === 2) throw this.vendor.refused(400, error.message);
      this.#stepDown(funnel, level, error.message);
      return this.query(apiKey, { documents, variables }, signal);
    }
  }

  /** A parallel call may have stepped down already. */
  #stepDown(funnel: string, level: 0 | 1, message: string): void {
    if ((this.#levels.get(funnel) ?? 0) !== level) return;
    this.#levels.set(funnel, level === 0 ? 1 : 2);
    if (this.#reported.has(funnel)) return;
    this.#reported.set(funnel, true);
    this.#options.onFewerFields(
      `Hireflix has changed its interface, so interviews are read with fewer fields. ${message}`,
    );
  }

  /** `errors` mean failure, regardless of the status and of data next to them. */
  #dataOf({ status, body }: JsonResponse): unknown {
    const { data, errors } = (body ?? {}) as { data?: unknown; errors?: unknown };
    const [problem] = Array.isArray(errors) ? (errors as (GraphQLProblem | null)[]) : [];
    if (problem) throw this.#problemError(problem, status);
    if (status === 401 || status === 403) throw this.vendor.keyError();
    if (status !== 200) throw this.vendor.refused(status, (body as { message?: unknown } | null)?.message);
    if (typeof data !== 'object' || data === null) throw this.vendor.badResponse();
    return data;
  }

  #problemError({ message, extensions }: GraphQLProblem, status: number): Error {
    const text = typeof message === 'string' ? message : '';
    const code = extensions?.code;
    if (text.includes('Cannot query field')) return new UnknownField(quotedMessage(text, '') ?? '');
    if (status === 401 || status === 403 || code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || NO_ACCESS.test(text))
      return this.vendor.keyError();
    if (RETRYABLE_CODES.includes(code))
      return interviewsError('unavailable', 'Hireflix returned an error. Try again later.');
    return this.vendor.refused(status, text);
  }
}
