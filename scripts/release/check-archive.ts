import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findFreePort } from '#server/db/embedded/find-free-port.ts';
import { RELEASE } from '#server/release.ts';
import { until } from '#support/until.ts';
import { expect, isServed } from '../steps/expect.ts';
import { run } from '../steps/workspace.ts';
import { NAME } from './write-archive.ts';

/** npm is a script of the shell on Windows. */
const SHELL = { shell: process.platform === 'win32' };
/** Without a cache, npm downloads 100 MB. */
const INSTALL_LIMIT_MS = 10 * 60_000;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
/** npm lists a thousand packages. */
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/**
 * Unpacks the archive into `folder`, installs its packages, starts it with an empty DATA_DIR and
 * stops it. @throws Error when it does not work as described
 */
export async function checkArchive(archive: string, folder: string): Promise<void> {
  await run('tar', ['-xzf', archive, '-C', folder]);
  const root = join(folder, NAME);
  const install = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', install, { cwd: root, timeout: INSTALL_LIMIT_MS, ...SHELL });
  await run('npm', ['ls', '--all'], { cwd: root, maxBuffer: MAX_OUTPUT_BYTES, ...SHELL });
  expect(true, 'npm ci --omit=dev installs what package.json needs, and nothing else');
  await checkProcess(root, join(folder, 'data'));
}

async function checkProcess(root: string, dataDir: string): Promise<void> {
  const port = await findFreePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'error',
  };
  const child = spawn('node', ['run.mjs', 'start'], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    const url = `http://127.0.0.1:${port}`;
    const isReady = () => {
      if (child.exitCode !== null) throw new Error(`node run.mjs start ended with ${child.exitCode}.`);
      return isServed(`${url}/readyz`);
    };
    await until('/readyz returns 200', isReady, START_LIMIT_MS);
    expect(true, 'node run.mjs start is ready with an empty DATA_DIR');
    const live = (await (await fetch(`${url}/livez`)).json()) as { release?: string };
    expect(live.release === RELEASE, `/livez names the release ${RELEASE}`, live);
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await (await fetch(url)).text()) ?? [];
    const { status } = await fetch(`${url}${script}`);
    expect(script !== '' && status === 200, 'it serves the web application', { script, status });
    const link = await (await fetch(`${url}/s/unknown`)).text();
    expect(link.includes('<meta name="greeting"'), 'it serves the page of links', link.slice(0, 200));
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) });
    child.kill('SIGTERM');
    const [code] = await ended;
    expect(code === 0, 'SIGTERM stops it', code);
  } finally {
    // `using` would not kill a process that has ignored SIGTERM.
    child.kill('SIGKILL');
  }
}
