import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { type BenchRow, limitRow, printRows } from './row.ts';

/** Compressed JavaScript of the application of staff, and of the page of a link. */
const ENTRIES = [
  { name: 'dashboard', html: 'index.html', config: 'vite.config.ts', limit: 175 },
  { name: 'page of a link', html: 'guest.html', config: 'vite.guest.config.ts', limit: 60 },
];

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

/**
 * The compressed size that a browser loads before it shows a page: the entry and all its imports.
 * For a link, the style sheet counts too.
 */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const entry of ENTRIES) rows.push(await measure(entry));
  return rows;
}

async function measure({ name, html, config, limit }: (typeof ENTRIES)[number]): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-first-load-'));
  try {
    await build({ configFile: config, logLevel: 'error', build: { outDir: folder, manifest: 'manifest.json' } });
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
    const styles = html === 'guest.html' ? (manifest[html]?.css ?? []) : [];
    const files = [...filesOf(manifest, [html]), ...styles];
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length),
    );
    const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1_000;
    return limitRow({
      name: `first load of the ${name}, ${files.length} files`,
      ours: kilobytes,
      limit,
      unit: 'KB gzip',
    });
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
