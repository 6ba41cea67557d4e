import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a module's text on this very Node; what it printed. */
const printed = async (text: string) =>
  (await run(process.execPath, ['--input-type=module', '--eval', text])).stdout.trim();

const url = (...path: string[]) => JSON.stringify(pathToFileURL(join(...path)).href);

/** A bundle of one line, all of it from line 11 of `src/fails.ts`. */
async function bundle(madeAt: Date): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'main.js'), `export const stack = () => new TypeError('No such thing').stack;`);
  const map = { version: 3, sources: ['../src/fails.ts'], names: [], mappings: 'AAUA' };
  await writeFile(join(folder, 'main.js.map'), JSON.stringify(map));
  await utimes(join(folder, 'main.js.map'), madeAt, madeAt);
  return folder;
}

const stackIn = (folder: string) =>
  printed(`
    import { showSources } from ${url(ROOT, 'src/server/bundle/source-stacks.mjs')};
    showSources(${JSON.stringify(folder)});
    const { stack } = await import(${url(folder, 'main.js')});
    console.log(stack());`);

test('a stack names the sources of the bundle', async () => {
  const folder = await bundle(new Date(Date.now() - 60_000));
  const [message, first] = (await stackIn(folder)).split('\n');
  expect(message).toBe('TypeError: No such thing');
  expect(first).toContain(`${pathToFileURL(join(folder, '../src/fails.ts')).href}:11:1`);
});

test('a stack names places in the bundle when a newer one has brought other maps', async () => {
  const folder = await bundle(new Date(Date.now() + 60_000));
  expect((await stackIn(folder)).split('\n')[1]).toContain('/main.js:1:');
});

test('a bundle is used only while the sources are those it was made of', async () => {
  const root = await emptyFolder();
  for (const folder of ['src/server', 'src/contracts', 'dist/server'])
    await mkdir(join(root, folder), { recursive: true });
  for (const file of ['vite.server.config.ts', 'package.json', 'package-lock.json'])
    await cp(join(ROOT, file), join(root, file));
  await writeFile(join(root, 'src/server/main.ts'), 'one');
  const look = `import { freshServerBundle, serverFingerprint } from ${url(ROOT, 'src/server/bundle/fresh-bundle.mjs')};`;
  const fresh = () => printed(`${look} console.log(freshServerBundle(${JSON.stringify(root)}) !== null)`);

  expect(await fresh()).toBe('false');
  const fingerprint = await printed(`${look} console.log(serverFingerprint(${JSON.stringify(root)}))`);
  await writeFile(join(root, 'dist/server/.built-from'), fingerprint);
  expect(await fresh()).toBe('true');
  await writeFile(join(root, 'src/server/main.test.ts'), 'a test is no part of it');
  expect(await fresh()).toBe('true');
  await writeFile(join(root, 'src/server/main.ts'), 'two');
  expect(await fresh()).toBe('false');
});

test('a start does not load the HTTP client of Node, which takes a tenth of it', async () => {
  // Node does not document this list: one that must be there shows that it still says what it said.
  const loaded = await printed(`
    await import(${url(ROOT, 'src/server/compose.ts')});
    console.log(process.moduleLoadList.join('\\n'));`);
  expect(loaded).toContain('NativeModule http\n');
  expect(loaded).not.toContain('internal/deps/undici/undici');
});
