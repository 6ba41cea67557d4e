import * as openid from 'openid-client';
import { RefusedIdentity } from '#server/ports/identity-provider.ts';
import { causesOf } from '#server/ports/tls-problem.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { discoverProvider, type OpenidOptions } from './openid-identity-provider.ts';
import { WRONG_CLIENT } from './provider-error.ts';

/**
 * Reads the discovery document, and calls the token endpoint with our credentials. Returns the
 * problem that an administrator has to fix, or null.
 */
export async function findProviderProblem(options: OpenidOptions): Promise<string | null> {
  try {
    const { client } = await discoverProvider(options);
    return await findClientProblem(client);
  } catch (error) {
    return explain(error, options.issuer);
  }
}

function explain(error: unknown, issuer: string): string {
  for (const cause of causesOf(error))
    if (cause instanceof UpstreamError || cause instanceof RefusedIdentity)
      return `The provider in OIDC_ISSUER can't be used: ${cause.message.replace(/\.$/, '')}. Check OIDC_ISSUER.`;
  const { cause } = error as { cause?: { body?: { issuer?: unknown }; status?: unknown } };
  if (typeof cause?.body?.issuer === 'string')
    return `OIDC_ISSUER is ${issuer}, but the provider's discovery document names ${cause.body.issuer}. Set OIDC_ISSUER to exactly that.`;
  const status = typeof cause?.status === 'number' ? ` (${cause.status})` : '';
  return `No OpenID Connect discovery document was found below OIDC_ISSUER${status}. Set OIDC_ISSUER to the issuer that the provider shows, without /.well-known/openid-configuration.`;
}

/** A provider that accepts our credentials rejects only the made-up code. */
async function findClientProblem(client: openid.Configuration): Promise<string | null> {
  const parameters = { code: 'check', redirect_uri: 'https://check.invalid/', code_verifier: 'c'.repeat(43) };
  try {
    await openid.genericGrantRequest(client, 'authorization_code', parameters);
    return null;
  } catch (error) {
    const isRejected =
      error instanceof openid.WWWAuthenticateChallengeError ||
      (error instanceof openid.ResponseBodyError && WRONG_CLIENT.includes(error.error));
    if (!isRejected) return null;
    return 'The provider rejects our client. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.';
  }
}
