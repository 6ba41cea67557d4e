import { CROWDED_ADVICE, isDatabaseCrowded, isDatabaseDown } from './db/database-down.ts';
import { MigrationError } from './db/migrate.ts';

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
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  if (isDatabaseCrowded(error)) return CROWDED_ADVICE;
  // A host with several addresses fails with several errors and an empty message.
  if (isDatabaseDown(error)) return `The database cannot be reached: ${message || code}. Check DATABASE_URL.`;
  if (REFUSAL_CODES.has(code ?? ''))
    return `The database refused access: ${message}. Check DATABASE_URL and DATABASE_OWNER_URL.`;
  return syscall === undefined ? (stack ?? message) : message;
}
