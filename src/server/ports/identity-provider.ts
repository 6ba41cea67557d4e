/** A company's identity provider for single sign-on (OpenID Connect Core 1.0). */
export interface IdentityProvider {
  /**
   * Returns the URL at which the browser signs in, and the values that the callback must match.
   * @throws UpstreamError `unavailable`, `rejected` or `bad_response`
   */
  beginSignIn(redirectUri: string): Promise<BegunSignIn>;
  /**
   * Redeems the code in the callback's URL.
   * @throws RefusedIdentity if the person or the provider denied access, or the response cannot be
   * trusted; UpstreamError otherwise
   */
  finishSignIn(returned: URL, checks: SignInChecks): Promise<Identity>;
  /** @throws RefusedIdentity `invalid`; UpstreamError */
  readLogoutToken(token: string): Promise<LogoutToken>;
}

/** Secrets of one sign-in, which stay in the browser that started it. */
export interface SignInChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface BegunSignIn {
  url: URL;
  checks: SignInChecks;
}

/** A person at the provider, identified by issuer and subject. */
export interface Identity {
  issuer: string;
  subject: string;
  /** The provider's own session (`sid`), if it names one. */
  providerSession: string | null;
  email: string | null;
  isEmailVerified: boolean;
  preferredUsername: string | null;
  /** All claims. */
  claims: Readonly<Record<string, unknown>>;
}

/** The provider ends a person's sessions (OpenID Connect Back-Channel Logout 1.0). */
export interface LogoutToken {
  issuer: string;
  /** Unique for each token (`jti`). */
  id: string;
  /** At least one of the two is set. */
  subject: string | null;
  providerSession: string | null;
  /** The token is rejected after this time. Milliseconds since 1970. */
  expiresAt: number;
}

/**
 * `denied`: the person canceled, or the provider denied access. `invalid`: the response cannot be
 * trusted.
 */
type RefusalKind = 'denied' | 'invalid';

export class RefusedIdentity extends Error {
  override name = 'RefusedIdentity';
  readonly kind: RefusalKind;

  /** `message` is for the system logs: it contains no token and no code. */
  constructor(kind: RefusalKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
