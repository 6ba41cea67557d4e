import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The JSON report of Vitest. A file that does not load fails without a test. */
export const VitestReport = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
  })
  .transform(({ numPassedTests: passed, numFailedTests, testResults }) => {
    const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    return { passed, failed: numFailedTests + unloaded.length };
  });

/** The JSON report of Playwright. */
export const PlaywrightReport = z
  .object({
    stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
    errors: z.array(z.unknown()),
  })
  .transform(({ stats, errors }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
  }));

/** Counts the tests of a report. A run without a report has none. */
export async function countTests<T>(file: string, report: z.ZodType<T>): Promise<T | { passed: 0; failed: 0 }> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? { passed: 0, failed: 0 } : report.parse(JSON.parse(text));
}
