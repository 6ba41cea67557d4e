/** Its message contains one cause and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** Output of PostgreSQL, SQLite or the system, and what it means for the database in FOLDER. */
const CAUSES: readonly [printed: RegExp, meaning: string][] = [
  [
    /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT|disk is full/i,
    'No space is left for the database in FOLDER. Free some space, or set DATA_DIR to another disk.',
  ],
  [
    /database files are incompatible/i,
    'The database in FOLDER was created by another version of PostgreSQL. Start the release that created it, make a backup with its `npm run backup`, and restore that backup with the `npm run restore` of this release into an empty DATA_DIR. docs/UPGRADING.md has the steps.',
  ],
  [
    /password authentication failed/i,
    'The password of the database in FOLDER differs from postgres-access.json. Restore the file that belongs to it.',
  ],
  [
    /Permission denied|wrong ownership|Read-only file system|Operation not permitted|EACCES|EPERM|EROFS|unable to open database file/i,
    'This account cannot use the database in FOLDER. Give it access, or set DATA_DIR to another folder.',
  ],
];

/** Translates the output of a program or the message of a failed file operation. */
export function translateOutput(printed: string, folder: string): EmbeddedPostgresError {
  const meaning = CAUSES.find(([pattern]) => pattern.test(printed))?.[1];
  if (meaning) return new EmbeddedPostgresError(meaning.replace('FOLDER', () => folder));
  const lastLines = printed.trim().split('\n').slice(-5).join('\n') || '(nothing)';
  return new EmbeddedPostgresError(`PostgreSQL could not start in ${folder}. Its last output:\n${lastLines}`);
}

/** Translates system errors, and returns any other error unchanged. */
export function translateError(error: unknown, folder: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof EmbeddedPostgresError || code === undefined
    ? (error as Error)
    : translateOutput(message, folder);
}
