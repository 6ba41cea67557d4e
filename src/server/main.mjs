// @ts-check
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/**
 * Starts the product. This file is JavaScript because flags and cache must be set before any
 * other module loads; the type stripper then stays out of memory as well.
 */

// V8 lets its heap grow far beyond what is in use: an idle process takes 175 MB.
// Here young objects keep the initial 1 MB of space, and old objects are collected after 30 %
// of growth: 146 MB, for some processor time. The third flag counts buffers of downloads toward
// the same limit; their own limit would cause a full collection every 64 MB.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=30');
setFlagsFromString('--external-memory-accounted-in-global-limit');

// The cache is in `node_modules`, not in the shared temporary folder, where another account
// could place code. If the folder is not writable, every start compiles again.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/server', import.meta.url)));

await import('./server.ts');

// Node writes the cache at exit, which a kill would skip.
setTimeout(flushCompileCache, 10_000).unref();
