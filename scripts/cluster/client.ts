/** Calls the API through the proxy. */
export class Client {
  readonly #address: string;
  readonly #cookie: string;

  constructor(address: string, cookie: string) {
    this.#address = address;
    this.#cookie = cookie;
  }

  /** @throws CallFailed unless the status is 2xx */
  async call<Answer = unknown>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const { headers, ...request } = jsonOf(method, body);
    const response = await fetch(this.#address + path, {
      ...request,
      headers: { ...headers, cookie: this.#cookie },
    }).catch((cause: Error) => {
      throw new CallFailed(path, 0, String(cause.cause ?? cause));
    });
    const text = await response.text().catch(() => {
      throw new CallFailed(path, 0, `the response with ${response.status} ended early`);
    });
    if (!response.ok) throw new CallFailed(path, response.status, text);
    return JSON.parse(text) as Answer;
  }
}

export class CallFailed extends Error {
  readonly status: number;

  constructor(path: string, status: number, text: string) {
    super(`${path}: ${status} ${text.slice(0, 200)}`);
    this.status = status;
  }
}

const jsonOf = (method: string, body?: object) => ({
  method,
  headers: body ? { 'content-type': 'application/json' } : {},
  ...(body && { body: JSON.stringify(body) }),
});
