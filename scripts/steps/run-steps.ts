import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './workspace.ts';

/** A program of a check; it runs in the root of the repository. */
export interface Step {
  heading: string;
  /** A script for the running Node, and its arguments. */
  command: readonly [script: string, ...args: string[]];
  environment?: Record<string, string>;
}

/** Returns the path of a script or folder in `node_modules`. */
export const tool = (path: string) => join(ROOT, 'node_modules', path);

/** Runs the steps in order until one fails. Returns the heading of the failed step, or null. */
export async function runSteps(steps: readonly Step[]): Promise<string | null> {
  for (const step of steps) if (!(await runStep(step))) return step.heading;
  return null;
}

/**
 * Runs steps that do not need each other, one per processor at a time, and prints the output of
 * each when it ends. Returns the headings of the failed steps, or null.
 */
export async function runTogether(steps: readonly Step[]): Promise<string | null> {
  const waiting = steps.values();
  const failed: string[] = [];
  const runWaiting = async () => {
    for (const step of waiting) if (!(await runStep(step, 'pipe'))) failed.push(step.heading);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
  return failed.length > 0 ? failed.join(', ') : null;
}

/** Returns whether the step succeeds. With `pipe`, the output is printed when it has ended. */
export async function runStep(
  { heading, command, environment }: Step,
  output: 'inherit' | 'pipe' = 'inherit',
): Promise<boolean> {
  if (output === 'inherit') console.log(`\n── ${heading}`);
  const started = performance.now();
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    stdio: ['inherit', output, output],
    env: { ...process.env, ...environment },
  });
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')));
  const ok = await new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
  if (output === 'pipe') console.log(`\n── ${heading}\n${(await printed).join('').trimEnd()}`);
  console.log(`${ok ? '✓' : '✗'} ${heading} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return ok;
}
