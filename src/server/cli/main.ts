import { userInfo } from 'node:os';
import type { Actor } from '#contracts/logs.ts';
import { AppError } from '#server/app-error.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { ConfigError } from '#server/config/config.ts';
import { EmbeddedPostgresError } from '#server/db/embedded/embedded-postgres-error.ts';
import { explainError } from '#server/explain-error.ts';
import { isInterrupted, undoOnSignals } from '#server/interruption.ts';
import { FileStoreError } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { runAs, SYSTEM } from '#server/request-context.ts';
import { type Command, CommandError, UsageError } from './command.ts';

/** The commands for administrators. Each loads only what it needs. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  user: async () => (await import('./user-command.ts')).userCommand,
  'keys:rotate': async () => (await import('./rotate-keys-command.ts')).rotateKeysCommand,
  'check:config': async () => (await import('./check-config-command.ts')).checkConfigCommand,
  backup: async () => (await import('./backup-command.ts')).backupCommand,
  restore: async () => (await import('./restore-command.ts')).restoreCommand,
  files: async () => (await import('./files-command.ts')).filesCommand,
  candidate: async () => (await import('./candidate-command.ts')).candidateCommand,
  'youtube:connect': async () => (await import('./youtube-command.ts')).youtubeCommand,
};

const HELP = ['help', '--help', '-h'];

/** Errors whose message is meant for the administrator; others are printed with a stack trace. */
const USER_FACING = [
  AppError,
  BackupError,
  CommandError,
  ConfigError,
  EmbeddedPostgresError,
  FileStoreError,
  UpstreamError,
];

/**
 * Runs a command and prints its result. Exits with 0 after success, 1 after a refusal or failure,
 * and 2 after wrong arguments. Errors go to standard error. A signal rolls back what is half done
 * (`whenInterrupted`).
 */
async function main([name = '', ...args]: string[]): Promise<void> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    const known = Object.keys(COMMANDS).join(', ');
    return fail(`${name === '' ? 'Missing command.' : `Unknown command ${name}.`} Commands: ${known}`, 2);
  }
  const command = await load();
  if (HELP.includes(args[0] ?? '')) return print(command.usage);
  undoOnSignals();
  const terminal = { input: process.stdin, output: process.stderr };
  try {
    const context = { environment: process.env, terminal, print: (text: string) => void process.stdout.write(text) };
    print(await runAs(findAdministrator(), () => command.run(args, context)));
  } catch (error) {
    if (isInterrupted()) return;
    if (error instanceof UsageError) fail(`${error.message}\n\n${command.usage}`, 2);
    else fail(explainError(error, USER_FACING), 1);
  }
}

/** The operating-system user. Some containers run as a number without a name. */
function findAdministrator(): Actor {
  try {
    return { ...SYSTEM, kind: 'command', name: userInfo().username };
  } catch {
    return { ...SYSTEM, kind: 'command', name: `user ${process.getuid?.()}` };
  }
}

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text.trimEnd()}\n`);
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}

await main(process.argv.slice(2));
