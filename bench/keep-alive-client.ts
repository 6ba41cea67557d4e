import { Client } from 'undici';

/** One connection that stays open, as in a browser. */
export interface KeepAliveClient extends AsyncDisposable {
  /** Returns the body as text. @throws Error unless the status is 200 */
  get(path: string): Promise<string>;
}

export function keepAliveClient({ address, cookie }: { address: string; cookie: string }): KeepAliveClient {
  const client = new Client(address, { pipelining: 1 });
  return {
    async get(path) {
      const { statusCode, body } = await client.request({ method: 'GET', path, headers: { cookie } });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
