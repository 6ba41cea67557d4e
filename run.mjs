// @ts-check
import { fileURLToPath } from 'node:url';
import { ensurePackages } from './scripts/launch/packages.mjs';
import { findPinnedNode } from './scripts/launch/pinned-node.mjs';
import { PlainError } from './scripts/launch/plain-error.mjs';
import { runProgram } from './scripts/launch/run-program.mjs';
import { ensureServer } from './scripts/launch/server.mjs';
import { ensureWeb } from './scripts/launch/web.mjs';

/**
 * Runs a program of this repository on a machine that has nothing but Node: installs the packages when they are missing or old,
 * builds what the program serves, and its server, when their sources changed, and hands over to the pinned Node.
 * Must run on Node 20 without any package, so it is plain JavaScript.
 *
 * @type {Record<string, { program?: string; serves?: boolean; staysUp?: boolean; needsTools?: boolean; does: string }>}
 */
const TARGETS = {
  demo: {
    program: 'scripts/demo.ts',
    serves: true,
    staysUp: true,
    needsTools: true,
    does: 'the product beside a sandbox of the outside world',
  },
  start: { program: 'src/server/start.mjs', serves: true, staysUp: true, does: 'the product' },
  user: { program: 'src/server/cli/user.ts', does: 'add, change or remove an account' },
  'keys:rotate': { program: 'src/server/cli/keys-rotate.ts', does: 'seal all API keys with a new encryption key' },
  'check:config': {
    program: 'src/server/cli/check-config.ts',
    does: 'print the configuration masked, and say whether it works',
  },
  backup: { program: 'src/server/cli/backup.ts', does: 'write database and files into one file' },
  restore: { program: 'src/server/cli/restore.ts', does: 'put what a backup holds into an empty installation' },
  candidate: { program: 'src/server/cli/candidate.ts', does: 'write out or erase what is held of a candidate' },
  'youtube:connect': { program: 'src/server/cli/youtube-connect.ts', does: 'get the permission to publish on YouTube' },
  dev: { program: 'scripts/dev.ts', needsTools: true, does: 'the demo with changes applied while it runs' },
  test: {
    program: 'scripts/test.ts',
    needsTools: true,
    does: 'all checks and tests but the long ones: test:faults, test:fuzz, soak',
  },
  'test:faults': {
    program: 'scripts/test-faults.ts',
    serves: true,
    needsTools: true,
    does: 'kill, cut and fill the built product, and look at what is left',
  },
  'test:fuzz': {
    program: 'scripts/test-fuzz.ts',
    needsTools: true,
    does: 'the fuzz runs, long: --requests N --seed N',
  },
  soak: {
    program: 'scripts/soak.ts',
    serves: true,
    needsTools: true,
    does: 'half an hour of 50 users and a refresh every minute: errors, latency, memory',
  },
  check: { program: 'scripts/check.ts', needsTools: true, does: 'format, lint, types, boundaries, unused code' },
  build: { serves: true, needsTools: true, does: 'the browser application and the server, when their sources changed' },
  bench: { program: 'bench/run.ts', serves: true, needsTools: true, does: 'the benchmarks' },
  screenshots: {
    program: 'scripts/screenshots.ts',
    serves: true,
    needsTools: true,
    does: 'pictures of every screen and dialog, into screenshots/',
  },
  docs: {
    program: 'scripts/configuration-docs.ts',
    needsTools: true,
    does: 'write docs/CONFIGURATION.md from the code and docs/LICENSES.md from the lock file',
  },
  'db-types': { program: 'scripts/db-types.ts', needsTools: true, does: 'write the table types from the migrations' },
};

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const target = Object.hasOwn(TARGETS, name) ? TARGETS[name] : undefined;
  if (!target) throw new PlainError(usage(name));

  const root = fileURLToPath(new URL('.', import.meta.url));
  await ensurePackages(root, { withTools: target.needsTools ?? false });
  const node = findPinnedNode(root);
  if (target.serves) {
    await ensureWeb(root, node);
    await ensureServer(root, node);
  }
  const { program, staysUp = false } = target;
  return program ? runProgram({ root, node }, { program, staysUp }, args) : 0;
}

/** @param {string} name */
function usage(name) {
  const lines = Object.entries(TARGETS).map(([known, { does }]) => `  node run.mjs ${known.padEnd(15)} ${does}`);
  return `${name ? `There is no "${name}".` : 'What should run?'}\n${lines.join('\n')}`;
}

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error) => {
    console.error(error instanceof PlainError ? error.message : error);
    process.exitCode = 1;
  },
);
