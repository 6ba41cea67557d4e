// @ts-check
import { buildWeb, isWebBuilt } from './scripts/launch/build-web.mjs';
import { findPinnedNode, installPackages } from './scripts/launch/install-packages.mjs';
import { LaunchError, run } from './scripts/launch/run-program.mjs';
import { stopWithNpm } from './scripts/launch/stop-with-npm.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';
const RANDOM_SEED = String(1 + (Date.now() % 1_000_000));

/**
 * @typedef {object} Command
 * @property {string} [program]
 * @property {string[]} [args]
 * @property {Record<string, string>} [variables] Defaults, which are printed
 * @property {string} about
 * @property {true} [needsWeb]
 * @property {true} [staysUp]
 */

/**
 * Runs a program of this repository on a machine that has only Node 20 or later and npm:
 * installs packages, builds the web application, and starts the program on the pinned Node. It
 * runs before any package is installed, so it is plain JavaScript.
 *
 * @type {Record<string, Command>}
 */
const COMMANDS = {
  start: { program: 'src/server/main.mjs', about: 'start the product', needsWeb: true, staysUp: true },
  migrate: { program: 'src/server/main.mjs', about: 'upgrade the database and exit' },
  demo: { program: 'scripts/demo.ts', about: 'start it with simulated services', needsWeb: true, staysUp: true },
  dev: { program: 'scripts/dev.ts', about: 'start the demo and apply changes as you save' },
  test: { program: 'scripts/test.ts', about: 'run all checks and tests except test:faults, test:fuzz and soak' },
  'test:faults': {
    program: VITEST,
    args: ['run', '--config=vitest.faults.config.ts'],
    variables: { FAULT_SEED: RANDOM_SEED },
    about: 'kill and disturb the product: -t TEXT',
    needsWeb: true,
  },
  'test:cluster': { program: 'scripts/test-cluster.ts', about: 'kill and upgrade many processes', needsWeb: true },
  'test:image': { program: 'scripts/test-image.ts', about: 'build the container image and check it (as root)' },
  'test:bare': { program: 'scripts/test-bare.ts', about: 'run the demo on a bare Debian (as root): --all' },
  'test:fuzz': {
    program: VITEST,
    args: ['run', 'test/fuzz'],
    variables: { FUZZ_REQUESTS: '200000', FUZZ_SEED: RANDOM_SEED },
    about: 'send random requests',
  },
  release: { program: 'scripts/release.ts', about: 'write the archive of this release; --check installs it' },
  soak: { program: 'scripts/soak.ts', about: 'measure 30 minutes of 50 users: --minutes N', needsWeb: true },
  check: { program: 'scripts/check.ts', about: 'check format, lint, types, boundaries, unused code' },
  build: { about: 'install packages, and build the web application if its sources changed', needsWeb: true },
  bench: { program: 'bench/run.ts', about: 'run the benchmarks', needsWeb: true },
  screenshots: { program: 'scripts/screenshots.ts', about: 'take pictures of every screen and dialog', needsWeb: true },
  docs: { program: 'scripts/docs.ts', about: 'write docs/CONFIGURATION.md and docs/LICENSES.md' },
  'db-types': { program: 'scripts/db-types.ts', about: 'write the table types from the migrations' },
};
const CLI = [
  'user',
  'keys:rotate',
  'check:config',
  'backup',
  'restore',
  'funnel',
  'files',
  'candidate',
  'youtube:connect',
  'ats:connect',
];
const LIST = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}\n`);
const USAGE = `Commands for administrators, each with --help: ${CLI.join(', ')}. Other commands:\n${LIST.join('')}`;

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const isCli = CLI.includes(name);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command && !isCli) throw new LaunchError(`${name ? `Unknown command: ${name}.` : 'Missing command.'}\n${USAGE}`);
  stopWithNpm(name);
  // The product and its commands need no tools, except to build the web application.
  const isProduct = isCli || ['start', 'migrate', 'build'].includes(name);
  await installPackages({ withTools: !isProduct || (Boolean(command?.needsWeb) && !isWebBuilt()) });
  const node = findPinnedNode();
  if (isCli) return run(node, ['src/server/cli/main.ts', name, ...args], {});
  if (command?.needsWeb) await buildWeb(node);
  if (name === 'migrate') process.env.MIGRATE = 'only';
  if (!command?.program) return 0;
  for (const [variable, value] of Object.entries(command.variables ?? {})) {
    process.env[variable] ??= value;
    console.log(`${variable}=${process.env[variable]}`);
  }
  return run(node, [command.program, ...(command.args ?? []), ...args], { staysUp: command.staysUp });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof LaunchError ? error.message : error);
  process.exitCode = 1;
}
