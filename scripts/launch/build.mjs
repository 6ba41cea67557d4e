import { cpSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBuiltFrom, markerIn } from '../../src/server/bundle/fingerprint.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { PlainError } from './plain-error.mjs';
import { runTool } from './run-tool.mjs';

/**
 * Builds into `dist/<name>` with Vite unless it is there and built from these very sources.
 *
 * @param {{ root: string; node: string }} place
 * @param {{ name: string; title: string; config: string; fingerprint: () => string }} build
 */
export async function ensureBuilt({ root, node }, build) {
  const isFresh = () => isBuiltFrom(join(root, 'dist', build.name), build.fingerprint());
  if (isFresh()) return;
  await oneAtATime(root, `${build.name}-build`, async () => {
    if (!isFresh()) await runBuild({ root, node }, build);
  });
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;
const KEEPING = {
  recursive: true,
  force: false,
  dereference: true,
  preserveTimestamps: true,
  filter: (path) => statSync(path).isDirectory() || Date.now() - statSync(path).mtimeMs < MONTH_MS,
};

/** Whether the tools that build are installed; for production they need not be. */
export const canBuild = (root) => existsSync(viteIn(root));

const viteIn = (root) => join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/**
 * A server that runs meanwhile never sees half a build: it is made beside the old one and takes its name when complete. Whoever still
 * runs the old one, a server or a browser, finds the parts that load later: their names carry a hash of what they are.
 */
async function runBuild({ root, node }, { name, title, config, fingerprint }) {
  const started = Date.now();
  const wanted = fingerprint();
  const built = join(root, 'dist', name);
  const unfinished = join(root, 'dist', `.${name}-unfinished`);
  const replaced = join(root, 'dist', `.${name}-replaced`);
  console.error(`Building ${title}.`);
  if (!canBuild(root))
    throw new PlainError(`It must be built: ${title}. The tools for it are not installed: run \`npm ci\`.`);
  const args = ['build', '--config', config, '--outDir', unfinished, '--emptyOutDir', '--logLevel', 'warn'];
  const { code, printed } = await runTool(node, [viteIn(root), ...args], { cwd: root });
  if (code !== 0) throw new PlainError(`It could not be built: ${title}.\n${printed.trim()}`);
  if (existsSync(built)) cpSync(built, unfinished, KEEPING);
  writeFileSync(markerIn(unfinished), wanted);
  rmSync(replaced, { recursive: true, force: true });
  if (existsSync(built)) renameSync(built, replaced);
  renameSync(unfinished, built);
  rmSync(replaced, { recursive: true, force: true });
  console.error(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}
