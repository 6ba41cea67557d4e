import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { runStep, tool } from './steps/run-steps.ts';

const FOLDER = resolve(import.meta.dirname, '../screenshots');
const DOCS_FOLDER = resolve(import.meta.dirname, '../docs/images');

/**
 * `npm run screenshots`: runs the journeys that visit every screen and dialog, which then take
 * pictures into `screenshots/`. Options of Playwright choose some of them: `-- -g Funnel`.
 * `-- --docs` takes the pictures of docs/SOURCES.md instead.
 */
const options = process.argv.slice(2);
const isDocs = options.includes('--docs');
const chosen = options.filter((option) => option !== '--docs');
if (options.length === 0) await rm(FOLDER, { recursive: true, force: true });
// Playwright runs every file whose path contains it.
const journeys = isDocs ? 'sources.spec.ts' : 'accessibility.spec.ts';
const command = [tool('@playwright/test/cli.js'), 'test', journeys, ...chosen] as const;
const environment: Record<string, string> = isDocs ? { DOCS_PICTURES: DOCS_FOLDER } : { PICTURES: FOLDER };
const isFine = await runStep({ heading: 'Screenshots', command, environment });
console.log(`The pictures are in ${isDocs ? DOCS_FOLDER : FOLDER}.`);
process.exitCode = isFine ? 0 : 1;
