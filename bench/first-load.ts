import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { type BenchRow, limitRow } from './row.ts';

/** Compressed JavaScript of the application of staff, and of the page of a link. */
const ENTRIES = [
  { name: 'dashboard', config: 'vite.config.ts', limit: 175, withStyles: false },
  { name: 'page of a link', config: 'vite.guest.config.ts', limit: 60, withStyles: true },
];

/**
 * The compressed size that a browser loads before it shows a page: the entry and all its imports.
 * For a link, the style sheet counts too.
 */
export const run = (): Promise<BenchRow[]> => Array.fromAsync(ENTRIES, measure);

async function measure({ name, config, limit, withStyles }: (typeof ENTRIES)[number]): Promise<BenchRow> {
  const { output } = (await build({
    configFile: config,
    logLevel: 'error',
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  const entry = output.find((file) => file.type === 'chunk' && file.isEntry);
  if (entry?.type !== 'chunk') throw new Error(`The build of ${config} has no entry.`);
  const needed = new Set([entry.fileName, ...(withStyles ? (entry.viteMetadata?.importedCss ?? []) : [])]);
  // A set visits the names that are added during the loop.
  for (const fileName of needed) {
    const file = output.find((each) => each.fileName === fileName);
    if (file?.type === 'chunk') for (const imported of file.imports) needed.add(imported);
  }
  const sizes = output
    .filter(({ fileName }) => needed.has(fileName))
    .map((file) => gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length);
  return limitRow({
    name: `first load of the ${name}, ${sizes.length} files`,
    ours: sizes.reduce((sum, size) => sum + size, 0) / 1_000,
    limit,
    unit: 'KB gzip',
  });
}
