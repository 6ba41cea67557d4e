import { once } from 'node:events';
import { expect, test } from 'vitest';
import { expectStopWithLauncher, startBy } from './support/start-by.ts';

test('src/server/main.mjs shuts down when its launcher is killed', { timeout: 60_000 }, () =>
  expectStopWithLauncher('src/server/main.mjs'),
);

test('a product started without a launcher outlives its parent process', { timeout: 60_000 }, async () => {
  const { child, lines, silence, terminate, isResponding } = await startBy(`
    const { spawn } = await import('node:child_process');
    spawn(process.execPath, ['src/server/main.mjs'], { stdio: 'inherit' });`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await isResponding()).toBe(true);
  terminate();
  await silence;
  // Its console shows what is set up.
  expect(lines.join('\n')).toMatch(/\nWorks: sign-in, funnels, .*YouTube, transcription/);
});
