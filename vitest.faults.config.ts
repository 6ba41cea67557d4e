import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: real processes of the built product, one scenario at a time. */
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
