import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** One program of a check, run in the root of the repository. */
export interface Step {
  heading: string;
  /** A file for this Node, then its arguments. */
  command: readonly [script: string, ...args: string[]];
  environment?: Record<string, string>;
}

const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = resolve(ROOT, 'node_modules');

/** The script of a package, run by this very Node: no shell, no search of the PATH. */
export const tool = (path: string) => resolve(MODULES, path);

/** Runs them in order until one fails; the heading of that one, or null when all succeeded. */
export async function runSteps(steps: readonly Step[]): Promise<string | null> {
  for (const step of steps) if (!(await succeeds(step))) return step.heading;
  return null;
}

async function succeeds({ heading, command, environment }: Step): Promise<boolean> {
  console.log(`\n── ${heading}`);
  const started = performance.now();
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const ok = await new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
  console.log(`${ok ? '✓' : '✗'} ${heading} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return ok;
}
