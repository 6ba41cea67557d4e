import { Client } from 'undici';

/** One connection that stays open, as a browser keeps it. */
export interface KeepAliveClient {
  /** Resolves with the whole answer's text. @throws Error when it is no 200 */
  get(path: string): Promise<string>;
  close(): Promise<void>;
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
    close: () => client.close(),
  };
}

/** How long a call took, in milliseconds. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}
