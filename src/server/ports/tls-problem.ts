/**
 * - `untrusted`: this process does not know the authority that issued the certificate
 * - `expired`: the certificate has expired, or is not valid yet
 * - `other_host`: the certificate is for other host names
 * - `no_tls`: the server does not speak TLS at this port
 */
export type TlsProblem = 'untrusted' | 'expired' | 'other_host' | 'no_tls';

/** OpenSSL's `X509_V_ERR_…` codes as Node names them (node:tls, "X509 certificate error codes"). */
const PROBLEMS: Partial<Record<string, TlsProblem>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_REJECTED: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  INVALID_CA: 'untrusted',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no_tls',
};
/** pg throws it without a code when the server refuses to switch to TLS. */
const PG_WITHOUT_TLS = 'The server does not support SSL connections';
const MAX_CAUSES = 5;

/** Returns why a TLS connection failed; null for any other error. */
export function tlsProblemOf(error: unknown): TlsProblem | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  return PROBLEMS[code] ?? (error.message === PG_WITHOUT_TLS ? 'no_tls' : null);
}

/** Like `tlsProblemOf`, even when other errors wrap the cause. */
export function findTlsProblem(error: unknown): TlsProblem | null {
  for (const cause of causesOf(error)) {
    const problem = tlsProblemOf(cause);
    if (problem) return problem;
  }
  return null;
}

/** The system's code of an error, even when other errors wrap it; empty without one. */
export const findErrorCode = (error: unknown): string =>
  causesOf(error).find(({ code }) => typeof code === 'string')?.code ?? '';

/** The error, and the errors that it wraps. */
export function* causesOf(error: unknown): Generator<NodeJS.ErrnoException> {
  let current = error;
  for (let depth = 0; current instanceof Error && depth <= MAX_CAUSES; depth += 1) {
    yield current;
    // A host with several addresses fails with several errors.
    current = current instanceof AggregateError && current.errors.length > 0 ? current.errors[0] : current.cause;
  }
}
