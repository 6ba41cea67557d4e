import type { LockedPackage } from '../packages/lock-file.ts';

/** Scripts for operators. The others need sources that the archive does not contain. */
const SCRIPTS = [
  ...['start', 'migrate', 'user', 'keys:rotate', 'check:config', 'backup', 'restore', 'funnel', 'files'],
  ...['candidate', 'youtube:connect', 'ats:connect', 'sbom'],
];

/** Returns package.json without development packages and their scripts. */
export function productionPackage(text: string): string {
  const { devDependencies, scripts, ...rest } = JSON.parse(text);
  const kept = Object.entries(scripts).filter(([name]) => SCRIPTS.includes(name));
  return format({ ...rest, scripts: Object.fromEntries(kept) });
}

/**
 * Returns package-lock.json without development packages. The other packages keep their versions,
 * hashes and places.
 */
export function productionLock(text: string): string {
  const lock = JSON.parse(text);
  const { '': root, ...packages } = lock.packages;
  const { devDependencies, ...production } = root;
  const kept = Object.entries<Partial<LockedPackage>>(packages).flatMap(([path, { dev, devOptional, ...entry }]) => {
    if (dev) return [];
    // Needed by a development package, and optional without it.
    return [[path, devOptional ? { ...entry, optional: true } : entry] as const];
  });
  return format({ ...lock, packages: { '': production, ...Object.fromEntries(kept) } });
}

const format = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
