/** The embedded database could not be started. The message names one cause and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** Words of PostgreSQL or of the system, and what they mean for the person who set `where` as DATA_DIR. */
const CAUSES: readonly [words: RegExp, message: (where: string) => string][] = [
  [
    // The last one is what SQLite says, whose lock comes before anything of PostgreSQL.
    /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT|disk is full/i,
    (where) => `No space is left for the database in ${where}. Free some, or set DATA_DIR to another disk.`,
  ],
  [
    /database files are incompatible/i,
    (where) => `The database in ${where} was written by another kind of PostgreSQL. Set DATA_DIR to an empty folder.`,
  ],
  [
    /password authentication failed/i,
    (where) =>
      `The database in ${where} has another password than postgres-access.json beside it. Put back the file that belongs to it.`,
  ],
  [
    /could not look up effective user ID/i,
    () => 'PostgreSQL needs an account with a name, and the user id that runs this program is not in /etc/passwd.',
  ],
  [
    /Permission denied|wrong ownership|Read-only file system|Operation not permitted|EACCES|EPERM|EROFS/i,
    (where) =>
      `The database in ${where} cannot be used by this account. Give it the folder, or set DATA_DIR to another.`,
  ],
];

/** What the words of `initdb`, `postgres` or a failed file operation mean; `where` is the folder the person knows. */
export function explain(printed: string, where: string): EmbeddedPostgresError {
  for (const [words, message] of CAUSES) if (words.test(printed)) return new EmbeddedPostgresError(message(where));
  const lastLines = printed.trim().split('\n').slice(-5).join('\n') || '(none)';
  return new EmbeddedPostgresError(`PostgreSQL could not start in ${where}. Its last words:\n${lastLines}`);
}

/** The same for what the server answers to the first connection: `invalid_password`, of PostgreSQL's appendix A. */
export function explainRefusal(error: unknown, where: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === '28P01' ? explain(message, where) : error;
}

/** The same for anything thrown. Errors that already carry a cause pass unchanged. */
export function explainError(error: unknown, where: string): Error {
  if (error instanceof EmbeddedPostgresError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? (error as Error) : explain(message, where);
}
