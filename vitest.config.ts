import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Tests of pages are `.test.tsx` and run in a simulated browser; all others run in Node, with one PostgreSQL for all of them. */
export default defineConfig({
  test: {
    // Most of them wait for a database, a disk or a clock: a processor less would leave the others idle.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['src/web/**'],
          environment: 'node',
          globalSetup: 'test/support/global-setup.ts',
          setupFiles: 'test/support/silent-console.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          include: ['src/web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: 'test/support/silent-console.ts',
          testTimeout: 30_000,
        },
      },
    ],
  },
});
