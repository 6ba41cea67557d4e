import { randomBytes, randomUUID } from 'node:crypto';
import type Provider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { MemoryAdapter } from './memory-adapter.ts';
import { initialPeople, type SandboxPerson } from './people.ts';
import { type Claims, createTokenKeys, type SigningOptions, type TokenKeys } from './signed-tokens.ts';
import type { Tampering } from './tampering.ts';

export const IDENTITY_PREFIX = '/oidc';
export const SANDBOX_SIGN_ON = { clientId: 'interviews', clientSecret: 'a secret of the sandbox' } as const;
const SCOPES = ['openid', 'email', 'profile', 'groups'];
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The state of the provider, which tests and demonstrations change. */
export interface IdentityState {
  people: SandboxPerson[];
  /** Null: ID tokens are valid. */
  tampering: Tampering | null;
  /** The product that the person last signed in to, such as `http://127.0.0.1:5000`. */
  productOrigin: string | null;
}

export interface IdentityProviderParts {
  issuer: string;
  state: IdentityState;
  /** Created by the first request: most uses of the sandbox don't need it. */
  open(): Promise<{ provider: Provider; keys: TokenKeys }>;
  /** Signs a logout token for a person. */
  logoutToken(claims: Claims, options?: SigningOptions): Promise<string>;
}

export function identityProviderParts(url: string): IdentityProviderParts {
  const issuer = url + IDENTITY_PREFIX;
  const state: IdentityState = { people: initialPeople(), tampering: null, productOrigin: null };
  let opening: ReturnType<IdentityProviderParts['open']> | undefined;
  const open = () => {
    opening ??= createProvider(issuer, state);
    return opening;
  };
  return {
    ...{ issuer, state, open },
    async logoutToken(claims, options) {
      const now = Math.floor(Date.now() / 1_000);
      const times = { iat: now, exp: now + 120, jti: randomUUID() };
      const { keys } = await open();
      const usual = { iss: issuer, aud: SANDBOX_SIGN_ON.clientId, ...times, events: { [LOGOUT_EVENT]: {} } };
      return await keys.sign({ ...usual, ...claims }, options);
    },
  };
}

async function createProvider(issuer: string, state: IdentityState) {
  const keys = await createTokenKeys();
  const { default: Provider, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  // The company has agreed for its people.
  policy.remove('consent');
  const interactions: Configuration['interactions'] = {
    policy,
    url: (_context, { uid }) => `${IDENTITY_PREFIX}/people/${uid}`,
  };
  return { keys, provider: new Provider(issuer, { ...configurationOf(keys, state), interactions }) };
}

const configurationOf = (keys: TokenKeys, state: IdentityState): Configuration => ({
  adapter: MemoryAdapter,
  clients: [
    {
      client_id: SANDBOX_SIGN_ON.clientId,
      client_secret: SANDBOX_SIGN_ON.clientSecret,
      // A native client may use any loopback port, and the port differs on every start.
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/api/login/oidc/callback', 'http://localhost/api/login/oidc/callback'],
      // ID tokens then contain the session (`sid`). The page of people sends the logout tokens.
      backchannel_logout_uri: 'http://127.0.0.1:9/unused',
      backchannel_logout_session_required: true,
    },
  ],
  scopes: SCOPES,
  claims: {
    email: ['email', 'email_verified'],
    profile: ['name', 'preferred_username'],
    groups: ['groups'],
  },
  async findAccount(_context, id) {
    const person = state.people.find((one) => one.id === id);
    return person && { accountId: id, claims: async () => claimsOf(person) };
  },
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  pkce: { required: () => true },
  jwks: { keys: [keys.jwk as never] },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  loadExistingGrant: agreeToEverything,
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 86_400, IdToken: 600, Interaction: 3_600, Session: 86_400 },
});

const claimsOf = ({ id, name, username, email, isEmailVerified, groups }: SandboxPerson) => ({
  ...{ sub: id, name, preferred_username: username, email, email_verified: isEmailVerified, groups },
});

async function agreeToEverything({ oidc }: KoaContextWithOIDC) {
  const { client, session } = oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(SCOPES.join(' '));
  await grant.save();
  return grant;
}
