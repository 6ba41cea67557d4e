import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { until } from './support/until.ts';

const LAUNCH = pathToFileURL(join(import.meta.dirname, '../scripts/launch/')).href;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'launch-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

/** Runs a tool under the lock; the tool writes its process id to a file and runs for a minute. */
function launch() {
  const tool = `require('node:fs').writeFileSync(${JSON.stringify(join(root, 'tool'))}, String(process.pid)); process.on('SIGTERM', () => {}); setTimeout(() => {}, 60_000)`;
  const launcher = `
    const { withLock } = await import('${LAUNCH}lock.mjs');
    const { run } = await import('${LAUNCH}run-program.mjs');
    const work = () => run(process.execPath, ['-e', ${JSON.stringify(tool)}], { isTool: true });
    await withLock(work, ${JSON.stringify(join(root, 'dist', '.launch-lock'))});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', launcher], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  return { child, complaints: text(child.stderr) };
}

const toolPid = () =>
  until('the tool works', async () => Number(await readFile(join(root, 'tool'), 'utf8').catch(() => '')) || null);

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s kills the tool, even if it ignores signals, and releases the lock',
  async (signal) => {
    const { child } = launch();
    const pid = await toolPid();
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    expect(child.exitCode).toBeGreaterThan(128);
    await until('the tool has ended', () => !isRunning(pid));
    expect(await readdir(join(root, 'dist'))).toEqual([]);
  },
);

test('the lock of a killed launcher expires', async () => {
  const lock = join(root, 'dist', '.launch-lock');
  await mkdir(join(root, 'dist'));
  await writeFile(lock, String(process.pid));
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(lock, longAgo, longAgo);
  const { child, complaints } = launch();
  expect(await toolPid()).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect(await complaints).toBe('');
});

test('a second launcher waits while the first one works', async () => {
  const first = launch();
  const pid = await toolPid();
  const second = launch();
  second.child.stderr.once('data', () => second.child.kill('SIGTERM'));
  expect(await second.complaints).toContain('Another process is installing or building here.');
  expect(await toolPid()).toBe(pid);
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
});
