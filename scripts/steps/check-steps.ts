import { join } from 'node:path';
import { type Step, tool } from './run-steps.ts';
import { ROOT } from './workspace.ts';

/** Without this, Biome colors log files too. */
const COLORS = process.stdout.isTTY ? 'force' : 'off';

/**
 * The arguments for Node that check the imports between the rooms of `src` in the current
 * folder.
 */
export const boundariesCommand = (report: 'err-long' | 'json'): Step['command'] => [
  '--import',
  join(ROOT, 'scripts/steps/read-imports.mjs'),
  tool('dependency-cruiser/bin/dependency-cruise.mjs'),
  `--config=${join(ROOT, '.dependency-cruiser.cjs')}`,
  `--output-type=${report}`,
  'src',
];

/** All checks that do not run the product. They run together; the longest begins first. */
export const CHECK_STEPS: readonly Step[] = [
  { heading: 'Types of the server', command: [tool('typescript/bin/tsc'), '--project', 'tsconfig.json'] },
  {
    heading: 'Format and lint',
    command: [tool('@biomejs/biome/bin/biome'), 'ci', '--diagnostic-level=error', `--colors=${COLORS}`],
  },
  { heading: 'Packages: sources, licenses and install scripts', command: ['scripts/check-packages.ts'] },
  {
    heading: 'Types of the web application',
    command: [tool('typescript/bin/tsc'), '--project', 'src/web/tsconfig.json'],
  },
  { heading: 'Imports between rooms', command: boundariesCommand('err-long') },
  { heading: 'Unused files, exports and packages', command: [tool('knip/bin/knip.js')] },
];
