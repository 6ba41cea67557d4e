/** Where people of a company sign in with the company's own identity (OpenID Connect Core 1.0). */
export interface IdentityProvider {
  /**
   * Returns the address where the browser signs in, and the values that its return must match.
   * @throws UpstreamError `unavailable`, `rejected` or `bad_answer`
   */
  beginSignIn(redirectUri: string): Promise<BegunSignIn>;
  /**
   * Redeems the code in the address that the provider has sent the browser to.
   * @throws RefusedIdentity when the person or the provider has refused, or the answer is not
   * trustworthy; UpstreamError otherwise
   */
  finishSignIn(returned: URL, checks: SignInChecks): Promise<Identity>;
  /** @throws RefusedIdentity `invalid`; UpstreamError */
  readLogoutToken(token: string): Promise<LogoutToken>;
}

/** Secrets of one sign-in. They stay in the browser that began it. */
export interface SignInChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface BegunSignIn {
  url: URL;
  checks: SignInChecks;
}

/** A person as the provider describes them. Issuer and subject identify them. */
export interface Identity {
  issuer: string;
  subject: string;
  /** The provider's own session (`sid`), if it names one. */
  providerSession: string | null;
  email: string | null;
  isEmailVerified: boolean;
  preferredUsername: string | null;
  /** All claims of the provider. */
  claims: Readonly<Record<string, unknown>>;
}

/** The provider ends a person's sessions (OpenID Connect Back-Channel Logout 1.0). */
export interface LogoutToken {
  issuer: string;
  /** Different for each token (`jti`). */
  id: string;
  /** At least one of both is set. */
  subject: string | null;
  providerSession: string | null;
  /** From this time on the token is not accepted. Milliseconds since 1970. */
  expiresAt: number;
}

/** `denied`: the person canceled, or the provider does not let them in. `invalid`: not trustworthy. */
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
