import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Command } from '#server/cli/command.ts';
import { runCli } from '#server/cli/main.ts';

/** Started with a command's name as its first argument. */
export const CLI = fileURLToPath(import.meta.resolve('#server/cli/main.ts'));

/** Runs a command in a process without a terminal, with `piped` as its standard input. */
export async function spawnCommand(args: string[], environment: Record<string, string>, piped = '') {
  const child = spawn(process.execPath, [CLI, ...args], { env: { PATH: process.env.PATH, ...environment } });
  child.stdin.on('error', () => {});
  child.stdin.end(piped);
  const [printed, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { printed, stderr, code };
}

/** Like `spawnCommand`, but in this process: a new one takes a second. */
export async function runCommandLine(args: string[], environment: Record<string, string>, piped = '') {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(piped);
  let [printed, stderr] = ['', ''];
  const printError = (chunk: string) => {
    stderr += chunk;
  };
  output.on('data', printError);
  const print = (chunk: string) => {
    printed += chunk;
  };
  const code = await runCli(args, { environment, terminal: { input, output }, print, printError });
  return { printed, stderr, code };
}

/** Runs a command in this process. `shown` is the terminal's output except for the result. */
export async function runCommand(
  command: Command,
  args: string[],
  environment: Record<string, string | undefined>,
  { piped = '', print = () => {} }: { piped?: string; print?: (text: string) => void } = {},
) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(piped);
  let shown = '';
  output.on('data', (chunk) => {
    shown += chunk;
  });
  const result = await command.run(args, { environment, terminal: { input, output }, print });
  return { result, shown };
}
