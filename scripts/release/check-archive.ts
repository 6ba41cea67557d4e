import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '#server/db/embedded/find-free-port.ts';
import { RELEASE } from '#server/release.ts';
import { NAME } from './write-archive.ts';

const run = promisify(execFile);
/** npm is a script of the shell on Windows. */
const SHELL = { shell: process.platform === 'win32' };
/** Without a cache, npm downloads 100 MB. */
const INSTALL_LIMIT_MS = 10 * 60_000;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;

/**
 * Unpacks the archive into a temporary folder, installs its packages, starts it with an empty
 * DATA_DIR and stops it. @throws Error when it does not work as described
 */
export async function checkArchive(archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-release-'));
  try {
    await run('tar', ['-xzf', archive, '-C', folder]);
    const root = join(folder, NAME);
    const install = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', install, { cwd: root, timeout: INSTALL_LIMIT_MS, ...SHELL });
    await demandLockedVersions(root);
    report('npm ci --omit=dev installs the locked versions');
    await checkProcess(root, join(folder, 'data'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Versions = Record<string, { version?: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>;

/** Compares what was installed with the lock file of the repository. */
async function demandLockedVersions(root: string): Promise<void> {
  const packagesOf = async (file: string): Promise<Versions> => JSON.parse(await readFile(file, 'utf8')).packages;
  const installed = await packagesOf(join(root, 'node_modules/.package-lock.json'));
  const locked = await packagesOf(join(import.meta.dirname, '../../package-lock.json'));
  for (const [path, { version }] of Object.entries(installed))
    demand(locked[path]?.version === version && !locked[path]?.dev, `${path} has the locked version`, version);
  for (const [path, { dev, optional, devOptional }] of Object.entries(locked))
    demand(path === '' || dev || optional || devOptional || path in installed, `${path} is installed`);
}

async function checkProcess(root: string, dataDir: string): Promise<void> {
  const port = await findFreePort();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port) };
  const child = spawn('node', ['run.mjs', 'start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  try {
    const address = `http://127.0.0.1:${port}`;
    await waitUntilReady(child, `${address}/readyz`);
    report('node run.mjs start is ready with an empty DATA_DIR');
    const live = (await (await fetch(`${address}/livez`)).json()) as { release?: string };
    demand(live.release === RELEASE, `/livez names the release ${RELEASE}`, live);
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await (await fetch(address)).text()) ?? [];
    const { status } = await fetch(`${address}${script}`);
    demand(script !== '' && status === 200, 'it serves the web application', { script, status });
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) });
    child.kill('SIGTERM');
    const [code] = await ended;
    demand(code === 0, 'SIGTERM stops it', code);
    report(`it serves pages, names release ${RELEASE} and stops at SIGTERM`);
  } catch (error) {
    console.error(printed);
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const isReady = await fetch(url).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) return;
    demand(child.exitCode === null, 'the process runs', child.exitCode);
    demand(performance.now() < deadline, `${url} returns 200 within ${START_LIMIT_MS / 1_000} s`);
    await sleep(100);
  }
}

const report = (what: string) => console.log(`✓ ${what}`);

function demand(isTrue: boolean | undefined, what: string, found?: unknown): void {
  if (!isTrue) throw new Error(`Expected: ${what}.${found === undefined ? '' : ` Found: ${JSON.stringify(found)}`}`);
}
