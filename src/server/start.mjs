import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Starts the product from code that an earlier start compiled: half the time, and without the compiler of types in memory. That is why
 * this one file is JavaScript, and imports nothing of ours before the cache is there.
 *
 * The cache lies beside the packages, not in the shared temporary folder, where somebody else could put code of theirs. Where that
 * cannot be written, every start compiles anew.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
enableCompileCache(`${root}node_modules/.cache/server`);

// The sources in few files, where they were bundled and have not changed since: docs/decisions/0005.
const { freshServerBundle } = await import('./bundle/fresh-bundle.mjs');
const bundle = freshServerBundle(root);
if (bundle) {
  const { showSources } = await import('./bundle/source-stacks.mjs');
  showSources(bundle);
  await import(pathToFileURL(`${bundle}/main.js`).href);
} else {
  await import('./main.ts');
}

const { setFlagsFromString } = await import('node:v8');
// Node collects late, as if the machine were its own. These make memory follow what is in use, for some processor time: the room for
// young objects stays at its first size (1 MB, not up to 16), and the rest is collected when it has grown by half, not threefold. While
// modules load nearly all of it stays, and looking through it is in vain: hence only now.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=50');
// Buffers from outside count with the rest: a limit of their own had everything looked through for each 64 MB that a download brought.
setFlagsFromString('--external-memory-accounted-in-global-limit');

// Not only at the end, which a kill would skip. By then everything that a start needs has been compiled.
setTimeout(flushCompileCache, 10_000).unref();
