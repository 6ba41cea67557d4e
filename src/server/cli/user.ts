import { AppError } from '../app-error.ts';
import { ConfigError } from '../config/config-error.ts';
import { isDatabaseDown } from '../db/database-down.ts';
import { EmbeddedPostgresError } from '../db/embedded/embedded-postgres-error.ts';
import { PasswordNotRead, readNewPassword } from './read-password.ts';
import { runUserCommand, USAGE, UsageError } from './user-command.ts';

/** `npm run user`: the accounts, from the command line. Ends with 0 when done, 1 when refused, 2 when it was not understood. */
const terminal = { input: process.stdin, output: process.stderr };

try {
  const said = await runUserCommand(process.argv.slice(2), {
    environment: process.env,
    readPassword: () => readNewPassword(terminal),
  });
  process.stdout.write(`${said.trimEnd()}\n`);
} catch (error) {
  process.stderr.write(`${inWords(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

function inWords(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  const isForPeople = [AppError, ConfigError, EmbeddedPostgresError, PasswordNotRead].some(
    (kind) => error instanceof kind,
  );
  if (isForPeople) return (error as Error).message;
  if (isDatabaseDown(error)) return `The database cannot be reached: ${(error as Error).message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
