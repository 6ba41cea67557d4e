import { userInfo } from 'node:os';
import type { Actor } from '#contracts/logs.ts';
import { AppError } from '#server/app-error.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { ConfigError, ENVIRONMENT } from '#server/config/config.ts';
import { EmbeddedPostgresError } from '#server/db/embedded/embedded-postgres-error.ts';
import { explainError } from '#server/db/explain-error.ts';
import { isInterrupted, undoOnSignals } from '#server/interruption.ts';
import { FileStoreError } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { runAs, SYSTEM } from '#server/request-context.ts';
import { type Command, type CommandContext, CommandError, UsageError } from './command.ts';

/** The commands for administrators. Each loads only what it needs. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  user: async () => (await import('./user-command.ts')).userCommand,
  'keys:rotate': async () => (await import('./rotate-keys-command.ts')).rotateKeysCommand,
  'check:config': async () => (await import('./check-config-command.ts')).checkConfigCommand,
  backup: async () => (await import('./backup-command.ts')).backupCommand,
  restore: async () => (await import('./restore-command.ts')).restoreCommand,
  funnel: async () => (await import('./funnel-command.ts')).funnelCommand,
  files: async () => (await import('./files-command.ts')).filesCommand,
  candidate: async () => (await import('./candidate-command.ts')).candidateCommand,
  'ats:connect': async () => (await import('./ats-command.ts')).atsCommand,
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

interface Console extends CommandContext {
  printError(text: string): void;
}

/**
 * Runs a command and prints its result. Returns the exit status: 0 after success, 1 after a refusal
 * or failure, 2 after wrong arguments, and undefined after a signal, which ends the process.
 */
export async function runCli([name = '', ...args]: string[], console: Console): Promise<number | undefined> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    const known = Object.keys(COMMANDS).join(', ');
    console.printError(`${name === '' ? 'Missing command.' : `Unknown command ${name}.`} Commands: ${known}\n`);
    return 2;
  }
  const command = await load();
  try {
    const result = HELP.includes(args[0] ?? '')
      ? command.usage
      : await runAs(findAdministrator(), () => command.run(args, console));
    if (result !== '') console.print(`${result.trimEnd()}\n`);
    return 0;
  } catch (error) {
    if (isInterrupted()) return undefined;
    const isUsage = error instanceof UsageError;
    console.printError(isUsage ? `${error.message}\n\n${command.usage}\n` : `${explainError(error, USER_FACING)}\n`);
    return isUsage ? 2 : 1;
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

// A signal rolls back what is half done (`whenInterrupted`).
if (import.meta.main) {
  undoOnSignals();
  process.exitCode = await runCli(process.argv.slice(2), {
    environment: ENVIRONMENT,
    terminal: { input: process.stdin, output: process.stderr },
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
  });
}
