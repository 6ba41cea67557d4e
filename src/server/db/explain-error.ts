import { type TlsProblem, tlsProblemOf } from '#server/ports/tls-problem.ts';
import { CROWDED_ADVICE, isDatabaseCrowded, isDatabaseDown } from './database-down.ts';
import { MigrationError } from './migrate.ts';

type ErrorClass = abstract new (...args: never[]) => Error;

/** PostgreSQL refuses the login, the database or the privilege (appendix A of its manual). */
const REFUSAL_CODES = new Set(['28000', '28P01', '3D000', '42501']);

/**
 * Returns the message to print when a start or a command fails. Errors of the classes `userFacing`
 * contain such a message already. An unexpected error keeps its stack trace.
 */
export function explainError(error: unknown, userFacing: readonly ErrorClass[]): string {
  if (!(error instanceof Error)) return String(error);
  if ([MigrationError, ...userFacing].some((errorClass) => error instanceof errorClass)) return error.message;
  const { syscall, message, stack } = error as NodeJS.ErrnoException;
  return explainDatabaseError(error) ?? (syscall === undefined ? (stack ?? message) : message);
}

/** Returns a message if the database is unreachable or denies access; null for any other error. */
export function explainDatabaseError(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (isDatabaseCrowded(error)) return CROWDED_ADVICE;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const tlsAdvice = adviceForTls(error);
  if (tlsAdvice) return tlsAdvice;
  // A host with several addresses fails with several errors and an empty message.
  if (isDatabaseDown(error)) return `The database cannot be reached: ${message || code}. Check DATABASE_URL.`;
  if (!REFUSAL_CODES.has(code)) return null;
  // pg_hba.conf admits this client with TLS only.
  if (message.includes('no encryption'))
    return `The database refused access: ${message}. Add sslmode=verify-full to DATABASE_URL, and sslrootcert=/path/of/ca.crt if a private CA issued its certificate.`;
  return `The database refused access: ${message}. Check DATABASE_URL and DATABASE_OWNER_URL.`;
}

const DATABASE_URLS = 'DATABASE_URL, and to DATABASE_OWNER_URL and DATABASE_DIRECT_URL if they are set';

const ADVICE: Record<TlsProblem, (reason: string) => string> = {
  untrusted: (reason) =>
    `The certificate of the database server isn't trusted (${reason}). Add sslrootcert=/path/of/ca.crt to ${DATABASE_URLS}, or set NODE_EXTRA_CA_CERTS to that file.`,
  expired: (reason) =>
    `The certificate of the database server has expired or isn't valid yet (${reason}). Renew it, and check the clocks of both machines.`,
  other_host: (reason) =>
    `The certificate of the database server is for another host (${reason}). Use a name that it contains in DATABASE_URL, DATABASE_OWNER_URL and DATABASE_DIRECT_URL.`,
  no_tls: () =>
    'The database server accepts no encrypted connections, but the sslmode in DATABASE_URL demands one. Turn on ssl on the server, or set sslmode=disable if the network is trusted.',
};

/** Returns what to do when the TLS connection to the database failed; null for any other error. */
function adviceForTls(error: unknown): string | null {
  const problem = tlsProblemOf(error);
  if (!problem) return null;
  const { code, message } = error as NodeJS.ErrnoException;
  return ADVICE[problem](problem === 'other_host' ? message.replace(/\.$/, '') : (code ?? message));
}
