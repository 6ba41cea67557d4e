import { createHash } from 'node:crypto';

/** A permission that the user has given. It exists until its code is exchanged. */
interface Grant {
  redirectUri: string;
  /** S256 of the verifier; empty if the client did not send a challenge. */
  challenge: string;
  isOffline: boolean;
  scope: string;
}

export interface TokenResponse {
  access_token: string;
  expires_in: number;
  token_type: 'Bearer';
  scope?: string;
  refresh_token?: string;
}

const LIFETIME_SECONDS = 3_599;

/** Authorization codes, refresh tokens and access tokens (RFC 6749; RFC 7636 for the challenge). */
export class Tokens {
  #count = 0;
  readonly #codes = new Map<string, Grant>();
  readonly #refreshTokens = new Set<string>([SANDBOX_CLIENT.refreshToken]);
  readonly #accessTokens = new Set<string>();

  grant(grant: Grant): string {
    const code = this.#next('4/sandbox-code');
    this.#codes.set(code, grant);
    return code;
  }

  /** Returns null when the code is unknown, was used, or belongs to another request. */
  exchangeCode(code: string, redirectUri: string, verifier: string): TokenResponse | null {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    if (!grant || grant.redirectUri !== redirectUri) return null;
    if (grant.challenge !== '' && grant.challenge !== createHash('sha256').update(verifier).digest('base64url'))
      return null;
    const issued = { ...this.#issue(LIFETIME_SECONDS), scope: grant.scope };
    if (!grant.isOffline) return issued;
    const refreshToken = this.#next('1//sandbox-refresh-token');
    this.#refreshTokens.add(refreshToken);
    return { ...issued, refresh_token: refreshToken };
  }

  renew(refreshToken: string, lifetimeSeconds = LIFETIME_SECONDS): TokenResponse | null {
    return this.#refreshTokens.has(refreshToken) ? this.#issue(lifetimeSeconds) : null;
  }

  isValid(accessToken: string): boolean {
    return this.#accessTokens.has(accessToken);
  }

  /** Expires every access token; permissions stay valid. */
  expireAccessTokens(): void {
    this.#accessTokens.clear();
  }

  reset(): void {
    this.#codes.clear();
    this.#accessTokens.clear();
    this.#refreshTokens.clear();
    this.#refreshTokens.add(SANDBOX_CLIENT.refreshToken);
  }

  #issue(expiresIn: number): TokenResponse {
    const token = this.#next('ya29.sandbox-access-token');
    this.#accessTokens.add(token);
    return { access_token: token, expires_in: expiresIn, token_type: 'Bearer' };
  }

  #next(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${String(this.#count).padStart(24, '0')}`;
  }
}

/** The client and the permission that exist from the start, with Google's typical lengths. */
export const SANDBOX_CLIENT = {
  clientId: '000000000000-sandbox.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-sandbox-0000000000000000',
  refreshToken: '1//sandbox-refresh-token-000000000000000000000000',
};

export const CHANNEL_TITLE = 'Sandbox Channel';
