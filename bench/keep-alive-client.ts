import { Client } from 'undici';

interface RequestOptions {
  method?: 'GET' | 'PATCH' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: Iterable<Buffer> | null;
  /** The status that it must have. */
  expected?: number;
}

export type KeepAliveClient = ReturnType<typeof keepAliveClient>;

/** One connection that stays open, as in a browser. */
export function keepAliveClient({ url, cookie = '' }: { url: string; cookie?: string }) {
  const client = new Client(url, { pipelining: 1 });
  /** Returns the body as text. @throws Error for another status */
  const send = async ({ method = 'GET', path, headers, body: sent = null, expected = 200 }: RequestOptions) => {
    // undici sends iterables, which its types lack.
    const options = { method, path, headers: { cookie, ...headers }, body: sent as never };
    const { statusCode, body } = await client.request(options);
    const text = await body.text();
    if (statusCode !== expected) throw new Error(`${path}: ${statusCode} ${text}`);
    return text;
  };
  return { cookie, get: (path: string) => send({ path }), send, [Symbol.asyncDispose]: () => client.close() };
}
