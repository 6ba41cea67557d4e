import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { surroundings } from '#support/process-surroundings.ts';
import { startCommand } from '#support/signals.ts';
import { expectStopWithLauncher } from '#support/start-by.ts';
import { startSandbox } from '#support/start-sandbox.ts';

test('scripts/demo.ts shuts down when its launcher is killed', () => expectStopWithLauncher('scripts/demo.ts'));

const ROOT = join(import.meta.dirname, '../..');
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
const PRODUCT = /is ready at (http:\S+)/;
const DEMO = /Open {6}(http:\S+)/;

const COMMANDS: [string, [string, ...string[]], RegExp][] = [
  ['npm start', ['npm', 'start'], PRODUCT],
  ['npm run demo', ['npm', 'run', 'demo'], DEMO],
  ['node run.mjs start', [process.execPath, 'run.mjs', 'start'], PRODUCT],
];

/** The processes that the user can reach: npm and what it started, or the launcher. */
async function targetsOf(pid: number, name: string): Promise<number[]> {
  if (!name.startsWith('npm')) return [pid];
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(' ').map(Number)];
}

describe.each(COMMANDS)('%s ends within 15 s', (name, command, isReady) => {
  const timeout = 300_000;
  test.each(SIGNALS)('after %s to each of its processes', { timeout }, async (signal) => {
    for (let index = 0, count = 1; index < count; index += 1) {
      const env = { PORT: '0', ...(await surroundings(await startSandbox())) };
      const { pid, ready, expectEndAfter } = await startCommand({ command, cwd: ROOT, env, isReady });
      const targets = await targetsOf(pid, name);
      count = targets.length;
      await expectEndAfter(signal, targets[index] ?? 0);
      await expect(fetch(`${ready}/livez`)).rejects.toThrow('fetch failed');
    }
  });
});
