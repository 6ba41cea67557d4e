/** The API user and the OAuth client that Bullhorn's support creates. */
export const BULLHORN_CLIENT = {
  username: 'interviews.api',
  clientId: 'sandbox-bullhorn-client',
  clientSecret: 'sandbox-bullhorn-secret-0000',
};

const ACCESS_SECONDS = 600;

/** Codes, ten-minute access tokens, single-use refresh tokens, and REST sessions. */
export class BullhornTokens {
  #count = 0;
  /** The redirect URI of each unused code. */
  readonly #codes = new Map<string, string>();
  readonly #refreshTokens = new Set<string>();
  /** With the time at which each expires. */
  readonly #accessTokens = new Map<string, number>();
  readonly #sessions = new Set<string>();

  grant(redirectUri: string): string {
    const code = this.#next('sandbox-code');
    this.#codes.set(code, redirectUri);
    return code;
  }

  /** Returns null if the code is unknown, used, or belongs to another redirect URI. */
  exchangeCode(code: string, redirectUri: string): object | null {
    const grantedFor = this.#codes.get(code);
    this.#codes.delete(code);
    return grantedFor === redirectUri ? this.#issue() : null;
  }

  /** Returns null if the token is unknown or used. */
  renew(refreshToken: string): object | null {
    return this.#refreshTokens.delete(refreshToken) ? this.#issue() : null;
  }

  /** Returns the token of a new session, or null for an expired access token. */
  signIn(accessToken: string): string | null {
    if ((this.#accessTokens.get(accessToken) ?? 0) <= Date.now()) return null;
    const session = this.#next('sandbox-session');
    this.#sessions.add(session);
    return session;
  }

  isSession(token: string): boolean {
    return this.#sessions.has(token);
  }

  endSessions(): void {
    this.#sessions.clear();
  }

  expireAccessTokens(): void {
    this.#accessTokens.clear();
  }

  /** Invalidates everything issued, as if an administrator had revoked the permission. */
  revoke(): void {
    this.#codes.clear();
    this.#refreshTokens.clear();
    this.expireAccessTokens();
    this.endSessions();
  }

  #issue(): object {
    const [access_token, refresh_token] = [this.#next('sandbox-access'), this.#next('sandbox-refresh')];
    this.#accessTokens.set(access_token, Date.now() + ACCESS_SECONDS * 1_000);
    this.#refreshTokens.add(refresh_token);
    return { access_token, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token };
  }

  #next(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${String(this.#count).padStart(24, '0')}`;
  }
}
