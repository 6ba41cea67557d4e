import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { CallInput, Endpoint, ResponseOf } from '#contracts/endpoint.ts';
import { ErrorBody } from '#contracts/errors.ts';
import type { App } from '#server/http/app.ts';
import { repeatWhenBusy } from './repeat-when-busy.ts';

/** A response that is not a success. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: LightMyRequestResponse['headers'];

  constructor(response: LightMyRequestResponse) {
    const body = ErrorBody.parse(response.json());
    super(`${response.statusCode} ${body.message}`);
    this.status = response.statusCode;
    this.body = body;
    this.headers = response.headers;
  }
}

export interface RawRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  url: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A user with a browser, which keeps its session cookie, or a program with an API token. */
export class Person {
  readonly #app: App;
  readonly #apiToken: string | undefined;
  cookie: string | undefined;

  constructor(app: App, cookie?: string, apiToken?: string) {
    this.#app = app;
    this.cookie = cookie;
    this.#apiToken = apiToken;
  }

  /**
   * Calls an endpoint and parses the response with the contract's schema.
   * @throws Refusal when the response is not a success
   */
  async call<const E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ResponseOf<E>> {
    const {
      params = {},
      query = {},
      body,
    } = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const item of Array.isArray(value) ? value : [value])
        if (item !== undefined) search.append(name, String(item));
    }
    const response = await this.request({
      method: endpoint.method,
      url: search.size > 0 ? `${path}?${search}` : path,
      body,
    });
    if (response.statusCode >= 400) throw new Refusal(response);
    if (response.statusCode === 204) return undefined as ResponseOf<E>;
    return endpoint.response.parse(response.json()) as ResponseOf<E>;
  }

  async request({ method, url, body, headers = {} }: RawRequest): Promise<LightMyRequestResponse> {
    const request: InjectOptions = {
      method,
      url,
      headers: {
        ...headers,
        ...(this.cookie && { cookie: this.cookie }),
        ...(this.#apiToken !== undefined && { authorization: `Bearer ${this.#apiToken}` }),
      },
      ...(body !== undefined && { payload: body as object }),
    };
    const { response } = await repeatWhenBusy(async () => {
      const response = await this.#app.inject(request);
      return { response, status: response.statusCode, text: response.body };
    });
    const [set] = response.cookies;
    if (set) this.cookie = set.value === '' ? undefined : `${set.name}=${set.value}`;
    return response;
  }
}

/** Resolves with the refusal of a call that must not succeed. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    () => new Error('The call succeeded, though it should have been refused'),
    (error: unknown) => error,
  );
  if (error instanceof Refusal) return error;
  throw error;
}
