import { boundariesCommand } from './boundaries-step.ts';
import { type Step, tool } from './run-steps.ts';

/** Left alone, Biome colours a log file too. */
const COLORS = process.stdout.isTTY ? 'force' : 'off';

/** All that is checked without running the product, quickest first. */
export const CHECK_STEPS: readonly Step[] = [
  {
    heading: 'Format and lint',
    command: [tool('@biomejs/biome/bin/biome'), 'ci', '--diagnostic-level=error', `--colors=${COLORS}`],
  },
  {
    heading: 'Lock file: only npm, only with sums',
    command: [
      tool('lockfile-lint/bin/lockfile-lint.js'),
      '--path=package-lock.json',
      '--type=npm',
      '--allowed-hosts=npm',
      '--validate-https',
      '--validate-integrity',
    ],
  },
  { heading: 'Packages: licences and install scripts', command: ['scripts/check-packages.ts'] },
  { heading: 'Types of the server', command: [tool('typescript/bin/tsc'), '--project', 'tsconfig.json'] },
  { heading: 'Types of the web', command: [tool('typescript/bin/tsc'), '--project', 'src/web/tsconfig.json'] },
  { heading: 'Boundaries between rooms', command: boundariesCommand('err-long') },
  { heading: 'Unused files, exports and packages', command: [tool('knip/bin/knip.js')] },
];
