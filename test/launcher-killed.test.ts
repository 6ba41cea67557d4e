import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { surroundings } from './support/process-surroundings.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { until } from './support/until.ts';

const ROOT = join(import.meta.dirname, '..');
const RUN_PROGRAM = pathToFileURL(join(ROOT, 'scripts/launch/run-program.mjs')).href;

/** Runs the product by way of another process, until it is ready. */
async function startBy(starter: string) {
  const env = await surroundings(await startSandbox());
  const child = spawn(process.execPath, ['--input-type=module', '-e', starter], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  // Ends when nobody is left who could write to it.
  const silence = once(
    createInterface(child.stdout).on('line', (line) => lines.push(line)),
    'close',
  );
  const said = (pattern: RegExp) => lines.join('\n').match(pattern)?.[1] ?? '';
  const terminate = () => {
    try {
      process.kill(Number(said(/"pid":(\d+)/)), 'SIGTERM');
    } catch {
      // It has ended.
    }
  };
  onTestFinished(terminate);
  const origin = await until('the product is ready', () => said(/is ready at (http:\S+)/) || null, 30_000);
  const answers = () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { child, lines, silence, terminate, answers };
}

test.each(['src/server/start.mjs', 'scripts/demo.ts'])(
  'a launcher of %s that is killed leaves nothing running: the product stops in order',
  { timeout: 60_000 },
  async (program) => {
    const { child, lines, silence, answers } = await startBy(`
      const { runProgram } = await import('${RUN_PROGRAM}');
      const place = { root: process.cwd(), node: process.execPath };
      process.exitCode = await runProgram(place, { program: '${program}', staysUp: true }, []);`);
    expect(await answers()).toBe(true);
    child.kill('SIGKILL');
    await silence;
    expect(await answers()).toBe(false);
    expect(lines.filter((line) => line.includes('"stopping: '))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('not clean') || line.includes('not stop'))).toEqual([]);
  },
);

test('a product that no launcher started outlives who started it', { timeout: 60_000 }, async () => {
  const { child, silence, terminate, answers } = await startBy(`
    const { spawn } = await import('node:child_process');
    spawn(process.execPath, ['src/server/start.mjs'], { stdio: 'inherit' });`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await answers()).toBe(true);
  terminate();
  await silence;
});
