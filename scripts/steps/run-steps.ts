import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import PQueue from 'p-queue';
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
  const queue = new PQueue({ concurrency: availableParallelism() });
  const succeeded = await queue.addAll(steps.map((step) => () => runStep(step, 'pipe')));
  const failed = steps.filter((_, at) => !succeeded[at]);
  return failed.map(({ heading }) => heading).join(', ') || null;
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
  const [code] = await once(child, 'exit');
  const ok = code === 0;
  if (output === 'pipe') console.log(`\n── ${heading}\n${(await printed).join('').trimEnd()}`);
  console.log(`${ok ? '✓' : '✗'} ${heading} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return ok;
}
