import type { LightMyRequestResponse } from 'fastify';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { Person } from './call.ts';
import type { TestApp } from './start-app.ts';

/** A browser that signs in at the sandbox's provider, and keeps the cookies of both sides. */
export class SignOnBrowser {
  readonly #product: Pick<TestApp, 'app'>;
  readonly #sandbox: Pick<Sandbox, 'identity' | 'url'>;
  readonly cookies = new Map<string, string>();
  readonly #providerCookies = new Map<string, string>();

  constructor(product: Pick<TestApp, 'app'>, sandbox: Pick<Sandbox, 'identity' | 'url'>) {
    this.#product = product;
    this.#sandbox = sandbox;
  }

  /** Sends a request to the product. */
  async request(
    url: string,
    {
      method = 'GET',
      body,
      headers = {},
    }: { method?: 'GET' | 'POST'; body?: object; headers?: Record<string, string> } = {},
  ): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#product.app.inject({
      ...{ method, url, headers: { ...headers, ...(cookie && { cookie }) } },
      ...(body && { payload: body }),
    });
    for (const { name, value } of response.cookies)
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    return response;
  }

  /** Presses the button, and returns the URL at the provider. */
  async start(to = '/'): Promise<string> {
    const response = await this.request(`/api/login/oidc?${new URLSearchParams({ to })}`);
    return String(response.headers.location);
  }

  /** Chooses a person on the provider's page, or cancels. Returns the URL of the callback. */
  async choose(username: string | null, url: string): Promise<string> {
    const person = this.#sandbox.identity.state.people.find((one) => one.username === username);
    let next = url;
    while (next.startsWith(this.#sandbox.url)) {
      const isPage = new URL(next).pathname.startsWith('/oidc/people/');
      next = await this.#follow(isPage ? `${next}?person=${person?.id ?? ''}` : next);
    }
    return next;
  }

  /** Opens the callback as the provider's redirect does. */
  async finish(callback: string): Promise<LightMyRequestResponse> {
    const { pathname, search } = new URL(callback);
    return await this.request(pathname + search, { headers: { 'sec-fetch-site': 'cross-site' } });
  }

  async signIn(username: string | null, to?: string): Promise<LightMyRequestResponse> {
    return await this.finish(await this.choose(username, await this.start(to)));
  }

  /** The signed-in person, for calls of the contracts. */
  get person(): Person {
    return new Person(this.#product.app, `session=${this.cookies.get('session')}`);
  }

  async #follow(url: string): Promise<string> {
    const cookie = [...this.#providerCookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#providerCookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`The provider responded with ${response.status}: ${await response.text()}`);
    return new URL(location, url).href;
  }
}
