import { parseArgs } from 'node:util';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { runStep, tool } from './steps/run-steps.ts';

/**
 * `npm run test:faults`: kills and disturbs the product, one scenario after the other.
 * `-- --seed N` repeats the random moments of an earlier run, `-- --only TEXT` runs the scenarios
 * whose name contains the text.
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);

console.log(`Random moments: --seed ${seed}`);
const chosen = values.only ? [`--testNamePattern=${RegExp.escape(values.only)}`] : [];
const isFine = await runStep({
  heading: 'Faults',
  command: [tool('vitest/vitest.mjs'), 'run', '--config=vitest.faults.config.ts', ...chosen],
  environment: { FAULT_SEED: String(seed) },
});
const isRoot = process.getuid?.() === 0;
if (!values.only && (!isRoot || process.env.DATABASE_URL))
  console.log('\nPartial: the scenarios of other accounts did not run. They need root and no DATABASE_URL.');
if (!values.only && !isSwiftInstalled())
  console.log(`\nPartial: the scenarios of files in S3 did not run. ${HOW_TO_GET_SWIFT}`);
process.exitCode = isFine ? 0 : 1;
