import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { until } from '#support/until.ts';
import { makeDebian, putNode } from './image/debian.ts';
import { runOnMachine } from './image/run-on-machine.ts';
import { CannotRunHere, cannotRunHere, checkTools, findProgram, runTool, spawnTool } from './image/run-tool.ts';
import { NAME, writeArchive } from './release/write-archive.ts';
import { expect, isServed, seconds } from './steps/expect.ts';
import { ROOT } from './steps/workspace.ts';

/**
 * `npm run test:bare`: runs the demo on a Debian that has nothing but its required packages, Node
 * and npm; with `--all`, also the archive of the release and `npm test`. The Debian is a folder
 * with its own mounts and processes. Prints a line that starts with "Partial" where that is not
 * possible.
 */

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
  await checkTools(folder, ['mmdebstrap', 'npm']);
  if (!NODE || !NPM) throw new CannotRunHere('Start it with npm run test:bare.');
  const machine = join(folder, 'machine');
  await makeDebian(machine, ['--mode=root'], { temporary: folder, limitMs: DEMO_LIMIT_MS });
  for (const name of ['old', 'product', 'root/.npm']) await mkdir(join(machine, name), { recursive: true });
  await putNode(machine, NODE, NPM);
  for (const file of ['/etc/resolv.conf', '/etc/hosts'])
    await cp(file, join(machine, file), { dereference: true }).catch(() => {});
  const archive = join(folder, 'product.tar');
  await runTool('git', ['archive', `--output=${archive}`, 'HEAD'], { cwd: ROOT }).catch(cannotRunHere);
  await runTool('tar', ['-xf', archive, '-C', join(machine, 'product')]);
  return machine;
}

/** Starts a shell command on the machine. Its end ends all processes there. */
async function start(machine: string, command: string) {
  const cache = (await runTool('npm', ['config', 'get', 'cache'])).trim();
  await mkdir(cache, { recursive: true });
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const options = ['sh', '-c', ENTER, 'sh', machine, cache, command, process.env.CI ?? ''];
  return spawnTool('unshare', [...namespaces, ...options]);
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
    if (run.hasEnded()) throw new Error(`${command} ended.`);
    return isServed('http://127.0.0.1:5000/readyz');
  };
  try {
    const startedAt = performance.now();
    await until(`${command} responds`, isReady, DEMO_LIMIT_MS);
    const readyAt = performance.now();
    expect(true, `${command} responds ${seconds(readyAt - startedAt)} after the start of the installation`);
    await writeFile(stop, '');
    await until('SIGTERM to npm ends the product', run.hasEnded, STOP_LIMIT_MS);
    expect(true, `SIGTERM to npm ends every process after ${seconds(performance.now() - readyAt)}`);
  } catch (error) {
    console.error(run.output, run.errors);
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
  const startedAt = performance.now();
  const run = await start(machine, 'npm test');
  await until('npm test ends', run.hasEnded, TESTS_LIMIT_MS);
  console.log(run.child.exitCode === 0 ? run.output.trim().split('\n').slice(-12).join('\n') : run.output + run.errors);
  expect(run.child.exitCode === 0, `npm test passes in ${seconds(performance.now() - startedAt)}`, run.child.exitCode);
}

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });

await runOnMachine({
  name: 'bare',
  limitMs: TESTS_LIMIT_MS + 3 * DEMO_LIMIT_MS,
  partial: 'the bare machine was not tried.',
  async check(folder) {
    const machine = await makeMachine(folder);
    expect(true, 'a Debian with its required packages, Node and npm is there');
    await checkStart(machine, 'npm run demo');
    if (values.all) await checkRelease(machine, folder);
    if (values.all) await checkTests(machine);
  },
});
