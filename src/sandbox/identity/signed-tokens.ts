import { decodeJwt, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

const ALGORITHM = 'RS256';
const KEY_ID = 'sandbox';

/** Any claims, even ones that a token must not have. Undefined removes a claim. */
export type Claims = Record<string, unknown>;

export interface SigningOptions {
  /** True: the token is signed with a key that the provider does not publish. */
  isForged?: boolean;
}

/** The keys of the provider, and tokens that it would never issue. */
export interface TokenKeys {
  /** With its private part, for the provider. */
  jwk: JWK;
  sign(claims: Claims, options?: SigningOptions): Promise<string>;
  /** Returns the token with other claims. */
  resign(token: string, claims: Claims, options?: SigningOptions): Promise<string>;
}

export async function createTokenKeys(): Promise<TokenKeys> {
  const own = await generateKeyPair(ALGORITHM, { extractable: true });
  const foreign = await generateKeyPair(ALGORITHM);
  const jwk = { ...(await exportJWK(own.privateKey)), kid: KEY_ID, alg: ALGORITHM, use: 'sig' };
  const sign = (claims: Claims, { isForged = false }: SigningOptions = {}) =>
    new SignJWT(JSON.parse(JSON.stringify(claims)) as JWTPayload)
      .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID })
      .sign(isForged ? foreign.privateKey : own.privateKey);
  return { jwk, sign, resign: (token, claims, options) => sign({ ...decodeJwt(token), ...claims }, options) };
}
