// @ts-check
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A user-facing error: printed without a stack trace. */
export class LaunchError extends Error {}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const ASSETS = join(ROOT, 'dist', 'web', 'assets');
const BUILT_FROM = join(ROOT, 'dist', 'web', '.built-from');
const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const IS_WINDOWS = process.platform === 'win32';

/** Runs `npm ci` unless `node_modules` matches package-lock.json. */
export async function installPackages(withTools = true) {
  if (isInstalled(withTools)) return;
  await withLock(async () => {
    if (isInstalled(withTools)) return;
    console.error('Installing packages. This takes about a minute.');
    const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund'];
    if ((await run('npm', args, { isTool: true })) !== 0) throw new LaunchError('npm could not install the packages.');
  });
}

/** Compares the lock file with the list that npm writes at the end of an installation. */
function isInstalled(/** @type {boolean} */ withTools) {
  const done = join(MODULES, '.package-lock.json');
  if (!fs.existsSync(done)) return false;
  const installed = JSON.parse(fs.readFileSync(done, 'utf8')).packages;
  const locked = JSON.parse(fs.readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(([path, entry]) => {
    // npm omits optional packages of other platforms. Production works without devDependencies.
    const mayBeMissing = entry.optional || entry.devOptional || (entry.dev && !withTools);
    return path === '' || (installed[path] ? installed[path].version === entry.version : mayBeMissing);
  });
}

/** The Node that this release was tested with. It is an optional package for each platform. */
export function findPinnedNode() {
  const platform = `${IS_WINDOWS ? 'win' : process.platform}-${process.arch}`;
  const name = platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`;
  const node = join(MODULES, name, 'bin', IS_WINDOWS ? 'node.exe' : 'node');
  if (fs.existsSync(node)) return node;
  throw new LaunchError(`Node for this platform is missing (${name}). Run \`npm ci --include=optional\`.`);
}

/** Builds the web application into `dist/web` if its sources changed. */
export async function buildWeb(/** @type {string} */ node) {
  const hash = hashWebSources();
  const isFresh = () => fs.existsSync(BUILT_FROM) && fs.readFileSync(BUILT_FROM, 'utf8') === hash;
  if (isFresh()) return;
  await withLock(async () => {
    if (isFresh()) return;
    const vite = join(MODULES, 'vite', 'bin', 'vite.js');
    if (!fs.existsSync(vite)) throw new LaunchError('The web application must be built first. Run `npm ci`.');
    console.error('Building the web application.');
    fs.rmSync(BUILT_FROM, { force: true });
    const args = [vite, 'build', '--logLevel', 'error'];
    if ((await run(node, args, { isTool: true })) !== 0) throw new LaunchError('The web application was not built.');
    // Open pages still load files of earlier builds.
    for (const file of fs.readdirSync(ASSETS).map((name) => join(ASSETS, name)))
      if (Date.now() - fs.statSync(file).mtimeMs > MONTH_MS) fs.rmSync(file);
    fs.writeFileSync(BUILT_FROM, hash);
  });
}

/** Hashes contents, because a fresh clone has new times. */
function hashWebSources() {
  const hash = createHash('sha256');
  const configuration = fs.readdirSync(ROOT).filter((name) => /^(vite\..*|index\.html|package.*\.json)$/.test(name));
  const sources = ['src/web', 'src/contracts'].flatMap((folder) =>
    fs.readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  for (const path of [...configuration, ...sources].sort()) {
    if (/\.test\.|[\\/]testing[\\/]/.test(path) || fs.statSync(join(ROOT, path)).isDirectory()) continue;
    hash.update(`${path}\n`).update(fs.readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex');
}

const LOCK_RENEWAL_MS = 1_000;
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Runs `work` while no other launcher holds the lock.
 * @param {() => Promise<unknown>} work
 */
export async function withLock(work, lock = join(ROOT, 'dist', '.launch-lock')) {
  fs.mkdirSync(dirname(lock), { recursive: true });
  for (let isWaiting = false; !acquireLock(lock); isWaiting = true) {
    if (!isWaiting) console.error('Another process is installing or building here. Waiting for it.');
    await sleep(200);
  }
  const renewal = setInterval(() => fs.utimes(lock, new Date(), new Date(), () => {}), LOCK_RENEWAL_MS);
  const release = () => fs.rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  await work().finally(() => clearInterval(renewal));
  process.removeListener('exit', release);
  release();
}

function acquireLock(/** @type {string} */ lock) {
  const renewedAt = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  // The process that held the lock was killed.
  if (Date.now() - renewedAt > LOCK_TIMEOUT_MS) fs.rmSync(lock, { recursive: true, force: true });
  try {
    fs.mkdirSync(lock);
    return true;
  } catch (/** @type {any} */ error) {
    if (error.code === 'EEXIST') return false;
    throw new LaunchError(`Cannot install or build: ${error.message}`);
  }
}

/**
 * Runs a program and resolves with its exit code. A signal kills a tool, because npm reacts late.
 * A program that `staysUp` gets an IPC channel, which closes if this launcher is killed.
 */
export async function run(
  /** @type {string} */ bin,
  /** @type {string[]} */ args,
  { isTool = false, staysUp = false },
) {
  const child = spawn(bin, args, {
    cwd: ROOT,
    stdio: isTool ? ['ignore', 'ignore', 'inherit'] : ['inherit', 'inherit', 'inherit', staysUp ? 'ipc' : 'ignore'],
    shell: bin === 'npm' && IS_WINDOWS,
  });
  // A terminal sends Ctrl-C to every process in it. Passing it on would be a second Ctrl-C.
  const isTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const onSignal = (/** @type {NodeJS.Signals} */ signal) => {
    if (isTool) child.once('exit', () => process.exit(128 + constants.signals[signal]));
    if (isTool || signal === 'SIGTERM' || !isTerminal) child.kill(isTool ? 'SIGKILL' : signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const [code, signal] = await once(child, 'exit');
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
