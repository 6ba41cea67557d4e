import { type TlsProblem, tlsProblemOf } from '#server/ports/tls-problem.ts';

const ADDRESSES = 'DATABASE_URL, and to DATABASE_OWNER_URL and DATABASE_DIRECT_URL if they are set';

const ADVICE: Record<TlsProblem, (reason: string) => string> = {
  untrusted: (reason) =>
    `The certificate of the database server isn't trusted (${reason}). Add sslrootcert=/path/of/ca.crt to ${ADDRESSES}, or set NODE_EXTRA_CA_CERTS to that file.`,
  expired: (reason) =>
    `The certificate of the database server has expired or isn't valid yet (${reason}). Renew it, and check the clocks of both machines.`,
  other_host: (reason) =>
    `The certificate of the database server is for another host (${reason}). Use a name that it contains in DATABASE_URL, DATABASE_OWNER_URL and DATABASE_DIRECT_URL.`,
  no_tls: () =>
    'The database server accepts no encrypted connections, but the sslmode in DATABASE_URL demands one. Turn on ssl on the server, or set sslmode=disable if the network is trusted.',
};

/** Returns what to do when the TLS connection to the database failed; null for any other error. */
export function adviceForTls(error: unknown): string | null {
  const problem = tlsProblemOf(error);
  if (!problem) return null;
  const { code, message } = error as NodeJS.ErrnoException;
  return ADVICE[problem](problem === 'other_host' ? message.replace(/\.$/, '') : (code ?? message));
}
