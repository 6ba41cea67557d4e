import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { type BenchRow, limitRow, printRows } from './row.ts';

const ENTRY = 'index.html';
const LIMIT_KB = 172;

interface Chunk {
  file: string;
  imports?: string[];
}

/**
 * Compressed JavaScript that a browser loads before it shows the dashboard: the entry and
 * everything that it imports.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-first-load-'));
  try {
    await build({ logLevel: 'error', build: { outDir: folder, manifest: 'manifest.json' } });
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
    const files = filesOf(manifest, [ENTRY]);
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length),
    );
    const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1_000;
    const name = `JavaScript of the dashboard, ${files.length} files`;
    return [limitRow({ name, ours: kilobytes, limit: LIMIT_KB, unit: 'KB gzip' })];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the files of these chunks and of all their static imports, each once. */
function filesOf(manifest: Record<string, Chunk>, keys: readonly string[]): string[] {
  const found = new Map<string, string>();
  const follow = (key: string) => {
    if (found.has(key)) return;
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}.`);
    found.set(key, chunk.file);
    for (const imported of chunk.imports ?? []) follow(imported);
  };
  for (const key of keys) follow(key);
  return [...found.values()];
}

if (import.meta.main) printRows(await run());
