import { chmod, cp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type Account, CURRENT_ACCOUNT, runProgram } from './os-account.ts';

const BIN = 'native/bin';

/**
 * Returns the folder of the programs. It is a copy in DATA_DIR when the account cannot run the
 * installed package.
 */
export async function findPrograms(account: Account, dataDir: string): Promise<string> {
  const { installed, version } = await findPackage();
  const copy = join(dataDir, `postgres-programs-${version}`);
  for (const folder of [installed, copy]) if (await canRun(account, folder)) return join(folder, BIN);
  await completeInstallation(installed).catch(() => {});
  if (await canRun(account, installed)) return join(installed, BIN);
  const draft = `${copy}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await cp(installed, draft, { recursive: true, verbatimSymlinks: true });
  await completeInstallation(draft);
  await rm(copy, { recursive: true, force: true });
  await rename(draft, copy);
  return join(copy, BIN);
}

async function findPackage(): Promise<{ installed: string; version: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    return { installed, version: JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')).version };
  } catch {
    throw new EmbeddedPostgresError(
      `PostgreSQL is not installed: the package ${name} is missing. ` +
        'Run `npm install --include=optional`, or set DATABASE_URL to another PostgreSQL server.',
    );
  }
}

const canRun = async (account: Account, folder: string) =>
  (await runProgram(account, join(folder, BIN, 'postgres'), ['--version'])).isDone;

/** Runs the package's install script, which npm may skip, and makes the programs executable. */
async function completeInstallation(folder: string): Promise<void> {
  await runProgram(CURRENT_ACCOUNT, process.execPath, ['scripts/hydrate-symlinks.js'], folder);
  for (const program of await readdir(join(folder, BIN))) await chmod(join(folder, BIN, program), 0o755);
}
