import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** A program of a check; it runs in the root of the repository. */
export interface Step {
  heading: string;
  /** A script for the running Node, and its arguments. */
  command: readonly [script: string, ...args: string[]];
  environment?: Record<string, string>;
}

const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = resolve(ROOT, 'node_modules');

/** Returns the path of a script in `node_modules`. */
export const tool = (path: string) => resolve(MODULES, path);

/** Runs the steps in order until one fails. Returns the heading of the failed step, or null. */
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
