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

/** Runs a tool as the launcher does; the tool writes its process id into a file and works for a minute. */
function launch() {
  const tool = `require('node:fs').writeFileSync('tool', String(process.pid)); process.on('SIGTERM', () => {}); setTimeout(() => {}, 60_000)`;
  const launcher = `
    const { oneAtATime } = await import('${LAUNCH}one-at-a-time.mjs');
    const { runTool } = await import('${LAUNCH}run-tool.mjs');
    const root = ${JSON.stringify(root)};
    await oneAtATime(root, 'work', () => runTool(process.execPath, ['-e', ${JSON.stringify(tool)}], { cwd: root }));`;
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
  '%s ends the tool with the launcher, also one that would not listen, and frees its place',
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

test('a place is taken over from a launcher that was killed, whoever has its process id now', async () => {
  const lock = join(root, 'dist', '.work-lock');
  await mkdir(lock, { recursive: true });
  await writeFile(join(lock, 'pid'), String(process.pid));
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(lock, longAgo, longAgo);
  const { child, complaints } = launch();
  expect(await toolPid()).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect(await complaints).toBe('');
});

test('a launcher waits for another one that is at work', async () => {
  const first = launch();
  const pid = await toolPid();
  const second = launch();
  second.child.stderr.once('data', () => second.child.kill('SIGTERM'));
  expect(await second.complaints).toContain('Another process is at this already (work)');
  expect(await toolPid()).toBe(pid);
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
});
