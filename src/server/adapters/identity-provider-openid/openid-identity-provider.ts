import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { loadOnce } from '#server/async/single-flight.ts';
import {
  type BegunSignIn,
  type Identity,
  type IdentityProvider,
  type LogoutToken,
  RefusedIdentity,
  type SignInChecks,
} from '#server/ports/identity-provider.ts';
import { throwProviderError } from './provider-error.ts';
import { providerFetch } from './provider-fetch.ts';

export interface OpenidOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  proxy?: OutgoingProxy | undefined;
}

/** Per call. Short, because a user is waiting. */
const TIMEOUT_MS = 10_000;
/** openid-client has the same default. */
const CLOCK_TOLERANCE_S = 30;
/** The maximum age of a logout token. Used tokens are remembered for that long. */
const MAX_LOGOUT_TOKEN_AGE_S = 10 * 60;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface Discovered {
  client: openid.Configuration;
  issuer: string;
  keys: JWTVerifyGetKey;
}

/**
 * An OpenID Connect provider: code flow with PKCE, state and nonce. The discovery document is read
 * on the first sign-in and cached until the process ends.
 */
export function openidIdentityProvider(options: OpenidOptions): IdentityProvider {
  const discover = loadOnce(() => discoverProvider(options));
  return {
    async beginSignIn(redirectUri) {
      const { client } = await discover().catch(throwProviderError);
      return await beginSignIn(client, redirectUri, options.scopes);
    },
    async finishSignIn(returned, checks) {
      const { client } = await discover().catch(throwProviderError);
      return await readIdentity(client, returned, checks).catch(throwProviderError);
    },
    async readLogoutToken(token) {
      const discovered = await discover().catch(throwProviderError);
      return await readLogoutToken(token, discovered, options.clientId).catch(throwProviderError);
    },
  };
}

export async function discoverProvider(options: OpenidOptions): Promise<Discovered> {
  const { clientId, clientSecret } = options;
  const fetchFrom = providerFetch(TIMEOUT_MS, options.proxy);
  const issuer = new URL(options.issuer);
  const client = await openid.discovery(issuer, clientId, undefined, chooseAuth, {
    [openid.customFetch]: fetchFrom,
    timeout: TIMEOUT_MS / 1_000,
    // The configuration accepts such an issuer in trusted networks only.
    execute: [
      openid.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
    ],
  });
  const { issuer: named, jwks_uri: keysUrl } = client.serverMetadata();
  if (!keysUrl) throw new RefusedIdentity('invalid', 'the discovery document has no jwks_uri');
  const keys = createRemoteJWKSet(new URL(keysUrl), { [joseFetch]: fetchFrom, timeoutDuration: TIMEOUT_MS });
  return { client, issuer: named, keys };

  /** The standard's default if the provider supports it. */
  function chooseAuth(...call: Parameters<openid.ClientAuth>): void {
    const methods = call[0].token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
    (isBasic ? openid.ClientSecretBasic(clientSecret) : openid.ClientSecretPost(clientSecret))(...call);
  }
}

async function beginSignIn(
  client: openid.Configuration,
  redirectUri: string,
  scopes: readonly string[],
): Promise<BegunSignIn> {
  const checks = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    codeVerifier: openid.randomPKCECodeVerifier(),
  };
  const url = openid.buildAuthorizationUrl(client, {
    ...{ redirect_uri: redirectUri, scope: scopes.join(' '), state: checks.state, nonce: checks.nonce },
    code_challenge: await openid.calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url, checks };
}

async function readIdentity(
  client: openid.Configuration,
  returned: URL,
  { state, nonce, codeVerifier }: SignInChecks,
): Promise<Identity> {
  const tokens = await openid.authorizationCodeGrant(client, returned, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
    idTokenExpected: true,
  });
  const signed = tokens.claims();
  if (!signed) throw new RefusedIdentity('invalid', 'the response has no ID token');
  const more = client.serverMetadata().userinfo_endpoint
    ? await openid.fetchUserInfo(client, tokens.access_token, signed.sub)
    : {};
  const claims: Record<string, unknown> = { ...more, ...signed };
  return {
    ...{ issuer: signed.iss, subject: signed.sub, claims },
    providerSession: textOf(claims.sid),
    email: textOf(claims.email),
    isEmailVerified: claims.email_verified === true,
    preferredUsername: textOf(claims.preferred_username),
  };
}

const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim.trim() ? claim.trim() : null);

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
async function readLogoutToken(token: string, { issuer, keys }: Discovered, audience: string): Promise<LogoutToken> {
  const { payload } = await jwtVerify(token, keys, {
    ...{ issuer, audience, clockTolerance: CLOCK_TOLERANCE_S, maxTokenAge: MAX_LOGOUT_TOKEN_AGE_S },
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
  });
  const { sub, sid, jti = '', iat = 0, events } = payload;
  const refuse = (reason: string) => new RefusedIdentity('invalid', reason);
  if (typeof events !== 'object' || events === null || !(LOGOUT_EVENT in events)) throw refuse('not a logout token');
  if ('nonce' in payload) throw refuse('a logout token must not have a nonce');
  const [subject, providerSession] = [textOf(sub), textOf(sid)];
  if (subject === null && providerSession === null) throw refuse('neither sub nor sid');
  const expiresAt = (iat + MAX_LOGOUT_TOKEN_AGE_S + CLOCK_TOLERANCE_S) * 1_000;
  return { issuer, id: jti, subject, providerSession, expiresAt };
}
