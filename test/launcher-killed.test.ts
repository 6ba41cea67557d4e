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
const LAUNCH = pathToFileURL(join(ROOT, 'scripts/launch.mjs')).href;

/** Starts the product through another process and waits until it is ready. */
async function startBy(starter: string) {
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
  const answers = () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { child, lines, silence, terminate, answers };
}

test.each(['src/server/main.mjs', 'scripts/demo.ts'])(
  '%s shuts down when its launcher is killed',
  { timeout: 60_000 },
  async (program) => {
    const { child, lines, silence, answers } = await startBy(`
      const { run } = await import('${LAUNCH}');
      process.exitCode = await run(process.execPath, ['${program}'], { staysUp: true });`);
    expect(await answers()).toBe(true);
    child.kill('SIGKILL');
    await silence;
    expect(await answers()).toBe(false);
    expect(lines.filter((line) => line.includes('"stopping: '))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('did not stop cleanly'))).toEqual([]);
  },
);

test('a product started without a launcher outlives its parent process', { timeout: 60_000 }, async () => {
  const { child, lines, silence, terminate, answers } = await startBy(`
    const { spawn } = await import('node:child_process');
    spawn(process.execPath, ['src/server/main.mjs'], { stdio: 'inherit' });`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await answers()).toBe(true);
  terminate();
  await silence;
  // Its console shows what is set up.
  expect(lines.join('\n')).toMatch(/\nWorks: sign-in, funnels, .*YouTube, transcription/);
});
