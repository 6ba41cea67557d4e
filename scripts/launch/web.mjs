import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';
import { PlainError } from './plain-error.mjs';

/** Everything that decides what the built application is. */
const SOURCES = ['src/web', 'src/contracts', 'index.html', 'vite.config.ts', 'package.json', 'package-lock.json'];
const IS_TEST = /\.test\.tsx?$|^testing$/;

/** Builds the browser application into `dist/web` unless it is there and built from these very sources. */
export async function ensureWeb(root, node) {
  if (isFresh(root)) return;
  await oneAtATime(root, 'web-build', async () => {
    if (!isFresh(root)) await buildWeb(root, node);
  });
}

const markerIn = (folder) => join(folder, '.built-from');

function isFresh(root) {
  const marker = markerIn(join(root, 'dist', 'web'));
  return existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint(root);
}

/** By content: a fresh clone gives every file a new time. */
function fingerprint(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES) addTo(hash, root, source);
  return hash.digest('hex');
}

function addTo(hash, root, path) {
  const full = join(root, path);
  if (!statSync(full).isDirectory()) {
    hash.update(`${path}\n`).update(readFileSync(full));
    return;
  }
  for (const name of readdirSync(full).sort()) if (!IS_TEST.test(name)) addTo(hash, root, `${path}/${name}`);
}

/** A server that runs meanwhile never sees half an application: it is built beside the old one and takes its name when complete. */
async function buildWeb(root, node) {
  const started = Date.now();
  const wanted = fingerprint(root);
  const built = join(root, 'dist', 'web');
  const unfinished = join(root, 'dist', '.web-unfinished');
  const replaced = join(root, 'dist', '.web-replaced');
  console.error('Building the browser application.');
  await runVite(root, node, unfinished);
  writeFileSync(markerIn(unfinished), wanted);
  rmSync(replaced, { recursive: true, force: true });
  if (existsSync(built)) renameSync(built, replaced);
  renameSync(unfinished, built);
  rmSync(replaced, { recursive: true, force: true });
  console.error(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

function runVite(root, node, outDir) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite))
    throw new PlainError(
      'The browser application must be built, and the tools for it are not installed: run `npm ci`.',
    );
  const args = [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const child = spawn(node, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new PlainError(`The browser application could not be built.\n${printed.trim()}`));
    });
  });
}
