import type { ReadStream, WriteStream } from 'node:tty';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Where questions are shown and answers are typed. */
export interface Terminal {
  input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;
  output: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY'>>;
}

/** A command for administrators, started with `npm run NAME`. */
export interface Command {
  usage: string;
  /** Returns the text for standard output. Errors for the administrator are listed in `main.ts`. */
  run(args: string[], context: CommandContext): Promise<string>;
}

export interface CommandContext {
  environment: NodeJS.ProcessEnv;
  /**
   * For questions and warnings: its output is standard error, so that standard output contains only
   * the result.
   */
  terminal: Terminal;
  /** Writes to standard output before the result. */
  print(text: string): void;
}

/** The arguments do not match the usage. The process prints the usage and exits with 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command was canceled or refused. The message contains what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/**
 * Parses options and positional arguments. `names` are the positional arguments in order; those in
 * brackets are optional, and `…` accepts any number.
 * @throws UsageError
 */
export function parseArguments<O extends ParseArgsOptionsConfig>(
  args: string[],
  options: O,
  names: readonly string[] = [],
) {
  const parsed = parse(args, options);
  if (names.includes('…')) return parsed;
  const missing = names.slice(parsed.positionals.length).find((name) => !name.startsWith('['));
  if (missing) throw new UsageError(`Missing ${missing}.`);
  if (parsed.positionals.length > names.length) throw new UsageError('Too many arguments.');
  return parsed;
}

function parse<O extends ParseArgsOptionsConfig>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
