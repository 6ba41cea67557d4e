import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: the built product as real processes, one scenario after the other, so that each has the machine for itself. */
export default defineConfig({
  test: {
    include: ['test/faults/*.faults.ts'],
    environment: 'node',
    globalSetup: 'test/support/global-setup.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
