// @ts-check
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { LaunchError, ROOT, run } from './run-program.mjs';

const WEB = join(ROOT, 'dist', 'web');
const ASSETS = join(WEB, 'assets');
const BUILT_FROM = join(WEB, '.built-from');
/** The application of staff, and the page of links. */
const CONFIGS = ['vite.config.ts', 'vite.guest.config.ts'];
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;

/** True if `dist/web` is built from the sources here. A release contains no sources to build. */
export function isWebBuilt() {
  if (!fs.existsSync(join(ROOT, 'src', 'web'))) return fs.existsSync(join(WEB, 'index.html'));
  return fs.existsSync(BUILT_FROM) && fs.readFileSync(BUILT_FROM, 'utf8') === hashWebSources();
}

/** Builds the web application into `dist/web` if its sources changed. */
export async function buildWeb(/** @type {string} */ node) {
  if (isWebBuilt()) return;
  await withLock(async () => {
    if (isWebBuilt()) return;
    if (!fs.existsSync(join(ROOT, 'src', 'web')) || !fs.existsSync(VITE))
      throw new LaunchError('The web application (dist/web) is missing and cannot be built. Get the release again.');
    console.error('Building the web application.');
    const hash = hashWebSources();
    fs.rmSync(BUILT_FROM, { force: true });
    await buildWebInto(WEB, node);
    // Open pages still load files of earlier builds.
    for (const file of fs.readdirSync(ASSETS).map((name) => join(ASSETS, name)))
      if (Date.now() - fs.statSync(file).mtimeMs > MONTH_MS) fs.rmSync(file);
    fs.writeFileSync(BUILT_FROM, hash);
  });
}

/** Builds both into a folder that may contain earlier builds. */
export async function buildWebInto(/** @type {string} */ folder, /** @type {string} */ node) {
  for (const config of CONFIGS) {
    const args = [VITE, 'build', '--config', config, '--outDir', folder, '--logLevel', 'error'];
    if ((await run(node, args, { isTool: true })) !== 0) throw new LaunchError('The web application was not built.');
  }
}

/** Hashes contents, because a fresh clone has new times. */
function hashWebSources() {
  const hash = createHash('sha256');
  const configuration = fs
    .readdirSync(ROOT)
    .filter((name) => /^(vite\..*|(index|guest)\.html|package.*\.json)$/.test(name));
  const sources = ['src/web', 'src/contracts'].flatMap((folder) =>
    fs.readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  for (const path of [...configuration, ...sources].sort()) {
    if (/\.test\.|[\\/]testing[\\/]/.test(path) || fs.statSync(join(ROOT, path)).isDirectory()) continue;
    hash.update(`${path}\n`).update(fs.readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex');
}
