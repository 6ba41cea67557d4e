import { AppError } from '../app-error.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import { ConfigError } from '../config/config-error.ts';
import { EmbeddedPostgresError } from '../db/embedded/embedded-postgres-error.ts';
import { endInOrder, isInterrupted } from '../interruption.ts';
import { FileStoreError } from '../ports/file-store.ts';
import { UpstreamError } from '../ports/upstream-error.ts';
import { wordsOf } from '../words-of.ts';
import { NothingDone } from './nothing-done.ts';
import { PasswordNotRead } from './read-password.ts';
import { UsageError } from './usage-error.ts';

/** Errors whose message is for the person at the terminal. */
const FOR_PEOPLE = [
  AppError,
  BackupRefused,
  ConfigError,
  EmbeddedPostgresError,
  FileStoreError,
  NothingDone,
  PasswordNotRead,
  UpstreamError,
];

/**
 * Runs a command for administrators and prints what it says. Ends with 0 when done, 1 when refused, 2 when it was not understood; what is
 * wrong goes to standard error. Interrupted, it takes back what is half done.
 */
export async function runCommand(usage: string, work: () => Promise<string>): Promise<void> {
  endInOrder();
  try {
    const said = await work();
    if (said !== '') process.stdout.write(`${said.trimEnd()}\n`);
  } catch (error) {
    if (isInterrupted()) return;
    process.stderr.write(`${inWords(error, usage)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function inWords(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  return wordsOf(error, FOR_PEOPLE);
}
