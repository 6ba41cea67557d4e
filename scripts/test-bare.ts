import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CannotRunHere, endTools, findProgram, runTool, spawnTool } from './image/run-tool.ts';
import { NAME, writeArchive } from './release/write-archive.ts';

/**
 * `npm run test:bare`: runs the demo on a Debian that has nothing but its required packages, Node
 * and npm; with `--all`, also the archive of the release and `npm test`. The Debian is a folder
 * with its own mounts and processes. Prints a line that starts with "Partial" where that is not
 * possible.
 */

const ROOT = resolve(import.meta.dirname, '..');
const DEMO_LIMIT_MS = 4 * 60_000;
const TESTS_LIMIT_MS = 60 * 60_000;
const STOP_LIMIT_MS = 15_000;

/** The Node and npm that called this, not the pinned Node. */
const NODE = process.env.npm_node_execpath ?? findProgram('node');
const NPM = process.env.npm_execpath && dirname(dirname(process.env.npm_execpath));

/**
 * Changes the root of its mount namespace. In a folder entered with chroot, the kernel refuses
 * the user namespaces that PostgreSQL and browsers need.
 */
const ENTER = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/dev/shm"
mount --bind "$2" "$1/root/.npm"
cd "$1"
pivot_root . old
mount -t proc proc /proc
umount -l /old
cd /product
exec env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin CI="$4" NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS" sh -c "$3"`;

/** Creates the Debian with this repository's committed files in /product. */
async function makeMachine(folder: string): Promise<string> {
  if (process.getuid?.() !== 0) throw new CannotRunHere('It needs root.');
  if (!findProgram('mmdebstrap'))
    throw new CannotRunHere('Missing: apt-get install --no-install-recommends mmdebstrap');
  if (!NODE || !NPM) throw new CannotRunHere('Start it with npm run test:bare.');
  const machine = join(folder, 'machine');
  await runTool('mmdebstrap', ['--quiet', '--variant=minbase', '--mode=root', 'bookworm', machine], {
    temporary: folder,
    limitMs: DEMO_LIMIT_MS,
  }).catch((error) => {
    throw new CannotRunHere(error.message);
  });
  for (const name of ['old', 'product', 'root/.npm']) await mkdir(join(machine, name), { recursive: true });
  await cp(NODE, join(machine, 'usr/local/bin/node'));
  await cp(NPM, join(machine, 'usr/local/lib/node_modules/npm'), { recursive: true });
  const npm = '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n';
  await writeFile(join(machine, 'usr/local/bin/npm'), npm, { mode: 0o755 });
  for (const file of ['/etc/resolv.conf', '/etc/hosts', process.env.NODE_EXTRA_CA_CERTS])
    if (file) await cp(file, join(machine, file), { dereference: true }).catch(() => {});
  const archive = join(folder, 'product.tar');
  await runTool('git', ['archive', `--output=${archive}`, 'HEAD'], { cwd: ROOT }).catch((error) => {
    throw new CannotRunHere(error.message);
  });
  await runTool('tar', ['-xf', archive, '-C', join(machine, 'product')]);
  return machine;
}

/** Starts a shell command on the machine. Its end ends all processes there. */
async function start(machine: string, command: string) {
  const cache = (await runTool('npm', ['config', 'get', 'cache'])).trim();
  await mkdir(cache, { recursive: true });
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const options = ['sh', '-c', ENTER, 'sh', machine, cache, command, process.env.CI ?? ''];
  const child = spawnTool('unshare', [...namespaces, ...options]);
  const run = { printed: '', status: null as number | null, hasEnded: false };
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      run.printed += chunk;
    });
  child.once('exit', (status) => Object.assign(run, { status, hasEnded: true }));
  return run;
}

async function until(what: string, limitMs: number, isDone: () => boolean | Promise<boolean>): Promise<string> {
  const startedAt = performance.now();
  while (!(await isDone())) {
    if (performance.now() - startedAt > limitMs) throw new Error(`Within ${limitMs / 1_000} s: ${what}.`);
    await pause(250);
  }
  return `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
}

/**
 * Starts the product with a command and ends it. SIGTERM to npm has to end everything: the shell
 * waits until it is the only process.
 */
async function checkStart(machine: string, command: string, prepare = ':'): Promise<void> {
  const stop = join(machine, 'product/stop');
  await rm(stop, { force: true });
  const run = await start(
    machine,
    `${prepare} && { ${command} & npm=$!; } || exit 1
     while ! [ -e /product/stop ]; do sleep 0.2; done
     kill -TERM $npm; wait $npm
     set --; while [ $# -ne 1 ]; do sleep 0.2; set -- /proc/[0-9]*; done`,
  );
  const isReady = () => {
    if (run.hasEnded) throw new Error(`${command} ended.`);
    return fetch('http://127.0.0.1:5000/readyz').then(
      ({ ok }) => ok,
      () => false,
    );
  };
  try {
    const needed = await until(`${command} responds`, DEMO_LIMIT_MS, isReady);
    console.log(`✓ ${command} responds ${needed} after the start of the installation`);
    await writeFile(stop, '');
    const ended = await until('SIGTERM to npm ends the product', STOP_LIMIT_MS, () => run.hasEnded);
    console.log(`✓ SIGTERM to npm ends every process after ${ended}`);
  } catch (error) {
    console.error(run.printed);
    throw error;
  }
}

async function checkRelease(machine: string, folder: string): Promise<void> {
  const archive = await writeArchive(join(folder, 'release'));
  await runTool('tar', ['-xzf', archive, '-C', join(machine, 'opt')]);
  const prepare = `cd /opt/${NAME} && npm ci --omit=dev --loglevel=error`;
  await checkStart(machine, 'npm start', prepare);
}

async function checkTests(machine: string): Promise<void> {
  const run = await start(machine, 'npm test');
  const needed = await until('npm test ends', TESTS_LIMIT_MS, () => run.hasEnded);
  if (run.status !== 0) console.error(run.printed);
  else console.log(run.printed.trim().split('\n').slice(-12).join('\n'));
  if (run.status !== 0) throw new Error(`npm test ended with ${run.status}.`);
  console.log(`✓ npm test passes in ${needed}`);
}

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
// Not TMPDIR, which may be in memory.
const folder = await mkdtemp('/var/tmp/interviews-bare-');
// The machine ends, so what waits for it fails and the folder is removed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    process.exitCode = 1;
    endTools();
  });
try {
  const machine = await makeMachine(folder);
  console.log('✓ a Debian with its required packages, Node and npm is there');
  await checkStart(machine, 'npm run demo');
  if (values.all) await checkRelease(machine, folder);
  if (values.all) await checkTests(machine);
} catch (error) {
  if (error instanceof CannotRunHere) console.log(`\nPartial: the bare machine was not tried. ${error.message}`);
  else {
    console.error(`\n✗ ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
} finally {
  endTools();
  await rm(folder, { recursive: true, force: true });
}
