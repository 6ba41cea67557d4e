import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { until } from './until.ts';

interface Command {
  /** The program and its arguments. */
  command: [string, ...string[]];
  cwd: string;
  env?: Record<string, string>;
  /** A line that is printed when the program runs. */
  isReady: RegExp;
}

const END_TIMEOUT_MS = 15_000;

/** Starts the command in a group of processes and waits until it is ready. */
export async function startCommand({ command: [program, ...args], cwd, env, isReady }: Command) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const pid = child.pid ?? 0;
  onTestFinished(() => sendSignal(-pid, 'SIGKILL'));
  const lines: string[] = [];
  // Ends when no process has the pipe open.
  let isSilent = false;
  createInterface(child.stdout)
    .on('line', (line) => lines.push(line))
    .once('close', () => {
      isSilent = true;
    });
  const [, ready = ''] = await until('the program is ready', () => lines.join('\n').match(isReady), 60_000);
  return {
    pid,
    /** The first group of `isReady`. */
    ready,
    /** Sends the signal to a process and expects that all processes of the command end. */
    expectEndAfter: async (signal: NodeJS.Signals, target: number) => {
      sendSignal(target, signal);
      await expect.poll(() => isSilent, { timeout: END_TIMEOUT_MS }).toBe(true);
    },
  };
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
