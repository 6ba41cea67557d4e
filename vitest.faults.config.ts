import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

/** A mistyped `--only` would otherwise look like a success. */
const failsWithoutTests: Reporter = {
  onTestRunEnd(modules) {
    const states = modules.flatMap(({ children }) => [...children.allTests()].map((test) => test.result().state));
    if (states.some((state) => state !== 'skipped')) return;
    console.error('No scenario ran. Check the text after --only: a scenario name must contain it.');
    process.exitCode = 1;
  },
};

/** `npm run test:faults`: real processes of the product, one scenario at a time. */
export default defineConfig({
  test: {
    include: ['test/faults/*.faults.ts'],
    environment: 'node',
    reporters: ['verbose', failsWithoutTests],
    globalSetup: 'test/support/global-setup.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
