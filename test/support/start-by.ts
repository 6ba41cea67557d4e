import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { surroundings } from './process-surroundings.ts';
import { startSandbox } from './start-sandbox.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');
const LAUNCH = pathToFileURL(join(ROOT, 'scripts/launch/run-program.mjs')).href;

/** Starts the product through another process and waits until it is ready. */
export async function startBy(starter: string) {
  const env = await surroundings(await startSandbox());
  const child = spawn(process.execPath, ['--input-type=module', '-e', starter], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  // Ends when no process has the pipe open.
  const silence = once(
    createInterface(child.stdout).on('line', (line) => lines.push(line)),
    'close',
  );
  const logged = (pattern: RegExp) => lines.join('\n').match(pattern)?.[1] ?? '';
  const terminate = () => {
    try {
      process.kill(Number(logged(/"pid":(\d+)/)), 'SIGTERM');
    } catch {
      // It has ended.
    }
  };
  onTestFinished(terminate);
  const origin = await until('the product is ready', () => logged(/is ready at (http:\S+)/) || null, 30_000);
  const isResponding = () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { child, lines, silence, terminate, isResponding };
}

/** Kills the launcher of one of our programs and expects that the program shuts down. */
export async function expectStopWithLauncher(program: string): Promise<void> {
  const { child, lines, silence, isResponding } = await startBy(`
    const { run } = await import('${LAUNCH}');
    process.exitCode = await run(process.execPath, ['${program}'], { staysUp: true });`);
  expect(await isResponding()).toBe(true);
  child.kill('SIGKILL');
  await silence;
  expect(await isResponding()).toBe(false);
  expect(lines.filter((line) => line.includes('"stopping: '))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('did not stop cleanly'))).toEqual([]);
}
