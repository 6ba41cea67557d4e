import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, HOW_TO_GET_CHROMIUM } from './find-chromium.mjs';
import { CHECK_STEPS } from './steps/check-steps.ts';
import { runSteps, type Step, tool } from './steps/run-steps.ts';
import { countPlaywright, countVitest } from './steps/test-counts.ts';

/** `npm test`: the checks, the build, every test, and at the end one line with their number. */
const reports = await mkdtemp(join(tmpdir(), 'interviews-reports-'));
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

const steps: readonly Step[] = [
  ...CHECK_STEPS,
  { heading: 'Build of the browser application', command: ['run.mjs', 'build'] },
  {
    heading: 'Tests of rules, features, ports and pages',
    command: [
      tool('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ],
  },
  {
    heading: 'Journeys in a browser',
    command: [tool('@playwright/test/cli.js'), 'test'],
    environment: { PLAYWRIGHT_JSON: playwrightReport },
  },
];

try {
  const failed = findChromium() ? await runSteps(steps) : HOW_TO_GET_CHROMIUM;
  const counts = [await countVitest(vitestReport), await countPlaywright(playwrightReport)];
  const passed = counts.reduce((sum, count) => sum + (count?.passed ?? 0), 0);
  const failures = counts.reduce((sum, count) => sum + (count?.failed ?? 0), 0);
  if (failed) console.log(`\nFailed: ${failed}`);
  // A step without tests of its own, or that ended before it counted them, is one failure.
  console.log(`\n${passed} passed, ${failed ? Math.max(failures, 1) : failures} failed`);
  process.exitCode = failed ? 1 : 0;
} finally {
  await rm(reports, { recursive: true, force: true });
}
