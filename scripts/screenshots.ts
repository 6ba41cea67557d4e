import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { takeSourcePictures } from './screenshots/source-pictures.ts';
import { runSteps, tool } from './steps/run-steps.ts';

const FOLDER = resolve(import.meta.dirname, '../screenshots');
/** Playwright runs every file whose path contains it. */
const JOURNEYS = 'accessibility.spec.ts';

/**
 * `npm run screenshots`: runs the journeys that visit every screen and dialog, which then take
 * pictures into `screenshots/`. Options of Playwright choose some of them: `-- -g Funnel`.
 * `-- --docs` takes the pictures of docs/SOURCES.md instead.
 */
async function main(options: readonly string[]): Promise<void> {
  if (options.includes('--docs')) return takeSourcePictures();
  if (options.length === 0) await rm(FOLDER, { recursive: true, force: true });
  const command = [tool('@playwright/test/cli.js'), 'test', JOURNEYS, ...options] as const;
  const failed = await runSteps([{ heading: 'Screenshots', command, environment: { PICTURES: FOLDER } }]);
  console.log(`The pictures are in ${FOLDER}.`);
  process.exitCode = failed ? 1 : 0;
}

await main(process.argv.slice(2));
