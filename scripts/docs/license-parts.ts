import { readdir, readFile } from 'node:fs/promises';
import { type LockedPackage, lockedPackages } from '../packages/lock-file.ts';
import type { Parts } from './generate.ts';

const WEB = new URL('../../src/web/', import.meta.url);
/** The name of an imported package: `@scope/name` or `name`, without a path in it. */
const IMPORTED = /(?:from|import)\s*\(?\s*['"]((?:@[^'"/]+\/)?[^'"#./@][^'"/]*)/g;

/** Every package that runs in the server or in a browser, with its license. */
export async function licenseParts(): Promise<Parts> {
  const packages = await lockedPackages();
  const inBrowser = closure(packages, await importedByWeb());
  const shipped = packages.filter(({ name, dev, devOptional }) => inBrowser.has(name) || !(dev || devOptional));
  const rows = shipped
    .filter(({ license }) => license !== undefined)
    .map((locked) => `| ${locked.name} | ${locked.version} | ${locked.license} | ${placeOf(locked, inBrowser)} |`);
  const head = ['| Package | Version | License | Runs in |', '| --- | --- | --- | --- |'];
  return { packages: [...head, ...[...new Set(rows)].sort()].join('\n') };
}

const placeOf = ({ name, dev, devOptional }: LockedPackage, inBrowser: ReadonlySet<string>) =>
  [...(dev || devOptional ? [] : ['server']), ...(inBrowser.has(name) ? ['browser'] : [])].join(', ');

async function importedByWeb(): Promise<string[]> {
  const files = await readdir(WEB, { recursive: true });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|(^|\/)testing\//.test(file));
  const texts = await Promise.all(sources.map((file) => readFile(new URL(file, WEB), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name = '']) => name));
}

/** Returns the roots and all their dependencies. */
function closure(packages: readonly LockedPackage[], roots: readonly string[]): Set<string> {
  const found = new Set(roots);
  // A set visits the names that are added during the loop.
  for (const name of found)
    for (const locked of packages.filter((each) => each.name === name))
      for (const dependency of Object.keys(locked.dependencies)) found.add(dependency);
  return found;
}
