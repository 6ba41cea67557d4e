import { readFileSync, statSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Makes stacks name the sources that a bundle was made of. The maps are read when somebody looks at a stack: Node's own
 * `--enable-source-maps` reads them all at the start, which is an eighth of it.
 */
export function showSources(folder) {
  const inBundle = new RegExp(`(${RegExp.escape(pathToFileURL(folder).href)}/[^:)]+):(\\d+):(\\d+)`);
  const maps = new Map();
  const mapOf = (url) => {
    if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`));
    return maps.get(url);
  };
  const inSource = (all, url, line, column) => {
    const { originalSource, originalLine, originalColumn } = mapOf(url).findEntry(line - 1, column - 1);
    return originalSource ? `${new URL(originalSource, url)}:${originalLine + 1}:${originalColumn + 1}` : all;
  };
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => `\n    at ${frame}`);
    try {
      return `${error}${lines.map((line) => line.replace(inBundle, inSource)).join('')}`;
    } catch {
      // Places in the bundle are better than no stack.
      return `${error}${lines.join('')}`;
    }
  };
}

/** @throws Error when a newer bundle has taken the place of the one that runs */
function readMap(file) {
  if (statSync(file).mtimeMs > performance.timeOrigin) throw new Error(`${file} is of another bundle`);
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
}
