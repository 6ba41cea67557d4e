import type { ServerResponse } from 'node:http';
import type { Claims, SigningOptions, TokenKeys } from './signed-tokens.ts';

/** How the provider changes the ID tokens that it issues. */
export interface Tampering extends SigningOptions {
  claims: Claims;
}

/** Replaces the ID token in the response of the token endpoint. */
export function tamperWith(response: ServerResponse, keys: TokenKeys, { claims, ...options }: Tampering): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  response.end = ((body: string | Buffer) => {
    const tokens = JSON.parse(String(body)) as { id_token?: string };
    void changed(tokens).then((text) => {
      response.setHeader('content-length', Buffer.byteLength(text));
      end(text);
    });
    return response;
  }) as ServerResponse['end'];

  async function changed(tokens: { id_token?: string }): Promise<string> {
    if (tokens.id_token) tokens.id_token = await keys.resign(tokens.id_token, claims, options);
    return JSON.stringify(tokens);
  }
}
