import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findChromium, HOW_TO_GET_CHROMIUM } from './scripts/find-chromium.ts';
import { moveTmpdirToMemory } from './test/support/memory-tmpdir.ts';

moveTmpdirToMemory();

const executablePath = findChromium();
if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);

/** Chromium does not start its sandbox under root. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/**
 * Journeys through the built product in the installed browser. Without retries: a flaky test is
 * a failure.
 */
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // Journeys wait for the browser, the network or timers half of their time.
  workers: Math.ceil(availableParallelism() * 1.5),
  retries: 0,
  forbidOnly: true,
  reporter: process.env.PLAYWRIGHT_JSON
    ? [['line'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON }]]
    : [['list']],
  // Long enough for a machine that other programs keep busy. Pictures of all sizes take longer.
  timeout: process.env.PICTURES ? 900_000 : 120_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    // Traces are slow. Run a failed journey again with `playwright test --trace=on`.
    trace: 'off',
    launchOptions: {
      executablePath,
      args: [
        ...asRoot,
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
      ],
    },
  },
});
