import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startCommand } from './support/signals.ts';

const ROOT = join(import.meta.dirname, '..');
const LAUNCH = pathToFileURL(join(ROOT, 'scripts/launch/')).href;
/** Prints the id of its launcher, and ends on signals or with its launcher, as the product does. */
const PROGRAM = `
  console.log('launcher ' + process.ppid);
  setInterval(() => {}, 1_000);
  process.on('disconnect', () => process.exit());`;

/** Runs `npm start` with a copy of the launcher that starts PROGRAM. */
async function npmStart() {
  const cwd = await mkdtemp(join(tmpdir(), 'launch-by-npm-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const { start } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).scripts;
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ scripts: { start } }));
  await writeFile(
    join(cwd, 'run.mjs'),
    `import { run } from '${LAUNCH}run-program.mjs';
     import { stopWithNpm } from '${LAUNCH}stop-with-npm.mjs';
     stopWithNpm('start');
     await run(process.execPath, ['-e', ${JSON.stringify(PROGRAM)}], { staysUp: true });`,
  );
  return startCommand({ command: ['npm', 'start'], cwd, isReady: /^launcher (\d+)$/m });
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
  '%s to npm or to the process that it started ends the product',
  async (signal) => {
    expect.hasAssertions();
    await Promise.all([
      npmStart().then(({ pid, expectEndAfter }) => expectEndAfter(signal, pid)),
      npmStart().then(({ ready, expectEndAfter }) => expectEndAfter(signal, Number(ready))),
    ]);
  },
);

test('the launcher replaces the shell of each script, and Windows has a command of that name', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const launched = Object.values<string>(scripts).filter((script) => script.includes('run.mjs'));
  expect(launched.length).toBeGreaterThan(20);
  for (const script of launched) expect(script).toMatch(/^exec node run\.mjs [\w:-]+( --check)?$/);
  expect(await readFile(join(ROOT, 'exec.cmd'), 'utf8')).toMatch(/^@%\*\r?\n$/m);
});
