import { createHash } from 'node:crypto';
import { SANDBOX_CLIENT } from './google-account.ts';

/** What the person agreed to, kept until the code is exchanged. */
interface Grant {
  redirectUri: string;
  /** S256 of the verifier; empty when the client did not ask for that. */
  challenge: string;
  isOffline: boolean;
  scope: string;
}

export interface Issued {
  access_token: string;
  expires_in: number;
  token_type: 'Bearer';
  scope?: string;
  refresh_token?: string;
}

const LIFETIME_SECONDS = 3_599;

/** Codes, refresh tokens and access tokens (RFC 6749; RFC 7636 for the challenge). */
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

  /** Null when the code is not known, was used, or was asked for by somebody else. */
  exchangeCode(code: string, redirectUri: string, verifier: string): Issued | null {
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

  renew(refreshToken: string, lifetimeSeconds = LIFETIME_SECONDS): Issued | null {
    return this.#refreshTokens.has(refreshToken) ? this.#issue(lifetimeSeconds) : null;
  }

  isGood(accessToken: string): boolean {
    return this.#accessTokens.has(accessToken);
  }

  /** Ends every access token; permissions stay. */
  endAccess(): void {
    this.#accessTokens.clear();
  }

  reset(): void {
    this.#codes.clear();
    this.#accessTokens.clear();
    this.#refreshTokens.clear();
    this.#refreshTokens.add(SANDBOX_CLIENT.refreshToken);
  }

  #issue(expiresIn: number): Issued {
    const token = this.#next('ya29.sandbox-access-token');
    this.#accessTokens.add(token);
    return { access_token: token, expires_in: expiresIn, token_type: 'Bearer' };
  }

  #next(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${String(this.#count).padStart(24, '0')}`;
  }
}
