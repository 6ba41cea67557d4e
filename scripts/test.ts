import { join } from 'node:path';
import { HOW_TO_GET_PGBOUNCER, isPgBouncerInstalled } from '#support/find-pgbouncer.ts';
import { HOW_TO_GET_TINYPROXY, isTinyproxyInstalled } from '#support/find-tinyproxy.ts';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { findChromium, HOW_TO_GET_CHROMIUM } from './find-chromium.ts';
import { installChromium } from './install-chromium.ts';
import { CHECK_STEPS } from './steps/check-steps.ts';
import { runSteps, runTogether, type Step, tool } from './steps/run-steps.ts';
import { temporaryFolder } from './steps/workspace.ts';
import { countTests, PlaywrightReport, VitestReport } from './test/test-counts.ts';

/**
 * `npm test`: runs the checks, the build and every test, and prints the number of tests at the
 * end. Tests of what this machine lacks are named there, each with the command that installs it.
 */
await using reports = await temporaryFolder('reports');
const vitestReport = join(reports.path, 'vitest.json');
const playwrightReport = join(reports.path, 'playwright.json');

/** The many processes of the tests load the same libraries, which are then compiled only once. */
const environment = { NODE_COMPILE_CACHE: tool('.cache/tests') };

const browser = findChromium() ?? (await installChromium());
const journeys: Step = {
  heading: 'Browser journeys',
  command: [tool('@playwright/test/cli.js'), 'test'],
  environment: { ...environment, PLAYWRIGHT_JSON: playwrightReport },
};
const steps: readonly Step[] = [
  { heading: 'Build of the web application', command: ['run.mjs', 'build'] },
  {
    heading: 'Unit, feature and page tests',
    command: [
      tool('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ],
    environment,
  },
  ...(browser ? [journeys] : []),
];

const missing = [
  ...(browser ? [] : [`the browser journeys did not run. ${HOW_TO_GET_CHROMIUM}`]),
  ...(isSwiftInstalled() ? [] : [`the tests of files in S3 did not run. ${HOW_TO_GET_SWIFT}`]),
  ...(isPgBouncerInstalled() ? [] : [`the tests of a pooler did not run. ${HOW_TO_GET_PGBOUNCER}`]),
  ...(isTinyproxyInstalled() ? [] : [`the tests of an outgoing proxy did not run. ${HOW_TO_GET_TINYPROXY}`]),
];

let failed = (await runTogether(CHECK_STEPS)) ?? (await runSteps(steps));
if (!browser && process.env.CI === 'true') failed ??= 'Browser journeys: CI needs a browser';
const vitest = await countTests(vitestReport, VitestReport);
const playwright = await countTests(playwrightReport, PlaywrightReport);
const failures = vitest.failed + playwright.failed;
if (failed) console.log(`\nFailed: ${failed}`);
for (const part of missing) console.log(`\nPartial: ${part}`);
// A failed step that counted no failed test is one failure.
console.log(`\n${vitest.passed + playwright.passed} passed, ${failed ? Math.max(failures, 1) : failures} failed`);
process.exitCode = failed ? 1 : 0;
