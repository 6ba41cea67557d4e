import { lockedPackages } from './packages/lock-file.ts';
import { problemsOf } from './packages/package-rules.ts';

/** A step of `npm run check`: sums, licences and install scripts of all that the lock file names. Asks nobody. */
const packages = await lockedPackages();
const problems = packages.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${packages.length} packages, each with a licence that we may use.`);
process.exitCode = problems.length > 0 ? 1 : 0;
