import { readFile } from 'node:fs/promises';
import { z } from 'zod';

export interface Counts {
  passed: number;
  failed: number;
}

/**
 * The fields of the JSON reports that counting needs. A file that does not load fails without a
 * test.
 */
const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.unknown()),
});

/** Returns null when the run ended without a report. */
export async function countVitest(file: string): Promise<Counts | null> {
  const report = await read(file, VitestReport);
  if (!report) return null;
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

/** Returns null when the run ended without a report. */
export async function countPlaywright(file: string): Promise<Counts | null> {
  const report = await read(file, PlaywrightReport);
  if (!report) return null;
  const { expected, unexpected, flaky } = report.stats;
  return { passed: expected, failed: unexpected + flaky + report.errors.length };
}

async function read<T>(file: string, shape: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : shape.parse(JSON.parse(text));
}
