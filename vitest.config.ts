import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { moveTmpdirToMemory } from './test/support/memory-tmpdir.ts';

moveTmpdirToMemory();

/** Long enough for a machine that other programs keep busy. */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } };

/** Web tests run in a simulated browser; all others run in Node and share one PostgreSQL. */
export default defineConfig({
  test: {
    // Tests wait for the database, the disk or timers, so two per core keep the processor busy.
    maxWorkers: availableParallelism() * 2,
    projects: [
      {
        test: {
          name: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['src/web/**'],
          environment: 'node',
          // Tests keep no state in modules, and loading these again for each file costs a quarter.
          isolate: false,
          globalSetup: 'test/support/global-setup.ts',
          setupFiles: 'test/support/silent-console.ts',
          ...PATIENCE,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          include: ['src/web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // A process for each file would double the processor time. `set-up-page.ts` cleans up.
          isolate: false,
          setupFiles: ['test/support/silent-console.ts', 'src/web/testing/set-up-page.ts'],
          ...PATIENCE,
        },
      },
    ],
  },
});
