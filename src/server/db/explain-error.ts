import { CROWDED_ADVICE, isDatabaseCrowded, isDatabaseDown } from './database-down.ts';
import { MigrationError } from './migrate.ts';
import { adviceForTls } from './tls-advice.ts';

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
