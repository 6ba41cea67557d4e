import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from './test/support/swift/find-swift.ts';

const isRoot = process.getuid?.() === 0;

/** Names what does not run here, and fails for a mistyped `-t`, which would look like a success. */
const completeness: Reporter = {
  onTestRunStart() {
    if (!isRoot || process.env.DATABASE_URL)
      console.log('Partial: the scenarios of other accounts do not run. They need root and no DATABASE_URL.');
    if (!isSwiftInstalled()) console.log(`Partial: the scenarios of files in S3 do not run. ${HOW_TO_GET_SWIFT}`);
  },
  onTestRunEnd(modules) {
    const states = modules.flatMap(({ children }) => [...children.allTests()].map((test) => test.result().state));
    if (states.some((state) => state !== 'skipped')) return;
    console.error('No scenario ran. Check the text after -t: a scenario name must contain it.');
    process.exitCode = 1;
  },
};

/** `npm run test:faults`: real processes of the product, one scenario at a time. */
export default defineConfig({
  test: {
    include: ['test/faults/*.faults.ts'],
    environment: 'node',
    reporters: ['verbose', completeness],
    globalSetup: 'test/support/global-setup.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
