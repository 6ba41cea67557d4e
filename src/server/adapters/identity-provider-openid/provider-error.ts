import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { RefusedIdentity } from '#server/ports/identity-provider.ts';
import { causesOf } from '#server/ports/tls-problem.ts';
import { reportFailedCall, UpstreamError } from '#server/ports/upstream-error.ts';
import { SERVICE } from './provider-fetch.ts';

const UNAVAILABLE: readonly string[] = ['temporarily_unavailable', 'server_error'];
export const WRONG_CLIENT: readonly string[] = ['invalid_client', 'unauthorized_client'];
const MAX_CODE_CHARACTERS = 60;

/** Converts an error from openid-client or jose, and throws it. */
export function throwProviderError(error: unknown): never {
  const meant = explain(error);
  reportFailedCall(meant);
  throw meant;
}

function explain(error: unknown): Error {
  for (const cause of causesOf(error))
    if (cause instanceof UpstreamError || cause instanceof RefusedIdentity) return cause;
  if (error instanceof WWWAuthenticateChallengeError) return wrongClient(error);
  const code = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError ? error.error : null;
  if (code === 'access_denied') return new RefusedIdentity('denied', 'access_denied', error);
  if (code !== null && UNAVAILABLE.includes(code))
    return new UpstreamError(SERVICE, 'unavailable', `The sign-in provider is unavailable (${code}).`);
  if (code !== null && WRONG_CLIENT.includes(code)) return wrongClient(error);
  return new RefusedIdentity('invalid', code === null ? describeError(error) : printable(code), error);
}

const wrongClient = (error: unknown) =>
  new UpstreamError(
    SERVICE,
    'unauthorised',
    'The sign-in provider rejects our client. Ask an admin to check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    { cause: error },
  );

/** The code comes from the callback's URL, which can be forged. */
const printable = (code: string): string => code.replace(/[^\w.-]/g, '').slice(0, MAX_CODE_CHARACTERS);

/** For example `unexpected JWT claim value encountered (nonce)`. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const causes = [...causesOf(error)].map(({ cause }) => cause as { claim?: unknown; attribute?: unknown } | undefined);
  const claim = causes.map((cause) => cause?.claim ?? cause?.attribute).find((name) => typeof name === 'string');
  const isOurs = error instanceof ClientError || error.name.startsWith('J');
  const message = isOurs ? error.message : 'invalid response';
  return claim ? `${message} (${claim})` : message;
}
