import { CROWDED_ADVICE, isDatabaseCrowded, isDatabaseDown } from './db/database-down.ts';
import { MigrationError } from './db/migrate.ts';

type ErrorKind = abstract new (...args: never[]) => Error;

/** What PostgreSQL refuses before it does anything: classes 28 and 3D, and `insufficient_privilege` (appendix A of its manual). */
const REFUSED = new Set(['28000', '28P01', '3D000', '42501']);

/**
 * What ended a start or a command, in words for whoever runs it. What nobody foresaw keeps its stack.
 * `forPeople`: the errors whose message is such words already.
 */
export function wordsOf(error: unknown, forPeople: readonly ErrorKind[]): string {
  if (!(error instanceof Error)) return String(error);
  if ([MigrationError, ...forPeople].some((kind) => error instanceof kind)) return error.message;
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  if (isDatabaseCrowded(error)) return CROWDED_ADVICE;
  // A name with several addresses fails with several errors, and with no words of its own.
  if (isDatabaseDown(error)) return `The database cannot be reached: ${message || code}. Check DATABASE_URL.`;
  if (REFUSED.has(code ?? '')) return `The database refuses what it is asked for: ${message}. Check DATABASE_URL.`;
  return syscall === undefined ? (stack ?? message) : message;
}
