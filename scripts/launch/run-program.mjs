// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A user-facing error: printed without a stack trace. */
export class LaunchError extends Error {}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const IS_WINDOWS = process.platform === 'win32';
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program and resolves with its exit code. A signal kills a tool, because npm reacts late.
 * A program that `staysUp` gets an IPC channel, which closes if this launcher is killed.
 */
export async function run(
  /** @type {string} */ bin,
  /** @type {string[]} */ args,
  { isTool = false, staysUp = false },
) {
  const child = spawn(bin, args, {
    cwd: ROOT,
    stdio: isTool ? ['ignore', 'ignore', 'inherit'] : ['inherit', 'inherit', 'inherit', staysUp ? 'ipc' : 'ignore'],
    shell: bin === 'npm' && IS_WINDOWS,
  });
  // A terminal sends Ctrl-C to every process in it, so passing it on is a second one. Programs that
  // stay up ignore it; commands would stop undoing their work.
  const isTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const onSignal = (/** @type {NodeJS.Signals} */ signal) => {
    if (isTool) child.once('exit', () => process.exit(128 + constants.signals[signal]));
    if (isTool || staysUp || signal === 'SIGTERM' || !isTerminal) child.kill(isTool ? 'SIGKILL' : signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const [code, signal] = await once(child, 'exit');
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
