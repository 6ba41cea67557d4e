import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { canReach } from './account.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { Account } from './run-program.ts';

/** PostgreSQL's programs, ready to run. */
export interface Programs {
  /** Such as `18.4.0`; the first number is the one that data files depend on. */
  readonly version: string;
  path(program: ProgramName): string;
}

const PROGRAM_NAMES = ['initdb', 'pg_ctl', 'postgres'] as const;
type ProgramName = (typeof PROGRAM_NAMES)[number];

const packageName = () => `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

/** @throws EmbeddedPostgresError naming the missing package and the command that installs it */
export async function findPrograms(): Promise<Programs> {
  const name = packageName();
  let packageFolder: string;
  try {
    packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `PostgreSQL for this machine is not installed: the package ${name} is missing. ` +
        'Run `npm install --include=optional`, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  return programsIn(join(packageFolder, 'native'), version);
}

/**
 * Completes what the package's install script may not have done (npm can be told to run none): its links and the right to execute.
 * Where the account may not reach the package, or nobody may complete it, a copy in `copyFolder` is used.
 */
export async function prepareProgramsFor(account: Account, programs: Programs, copyFolder: string): Promise<Programs> {
  const native = dirname(dirname(programs.path('postgres')));
  const complete = await completeNative(native).then(
    () => true,
    () => false,
  );
  if (complete && (await canReach(account, programs.path('postgres')))) return programs;

  const copy = copyOf(programs, copyFolder);
  if (await isMissing(copy)) {
    const half = `${copy}.half`;
    await rm(half, { recursive: true, force: true });
    await mkdir(copyFolder, { recursive: true });
    await cp(native, half, { recursive: true, verbatimSymlinks: true });
    await completeNative(half);
    await rename(half, copy);
  }
  return programsIn(copy, programs.version);
}

/** As `prepareProgramsFor` left them at an earlier start, without looking whether they are so still. */
export async function programsAsBefore(programs: Programs, copyFolder: string): Promise<Programs> {
  const copy = copyOf(programs, copyFolder);
  return (await isMissing(copy)) ? programs : programsIn(copy, programs.version);
}

const copyOf = ({ version }: Programs, copyFolder: string) => join(copyFolder, `postgres-programs-${version}`);

const programsIn = (native: string, version: string): Programs => ({
  version,
  path: (program) => join(native, 'bin', platform() === 'win32' ? `${program}.exe` : program),
});

async function completeNative(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  const packageFolder = dirname(native);
  // The list is written from the package's folder, and a copy has another name than `native`.
  const place = (listed: string) => join(packageFolder, listed.replace(/^native\b/, basename(native)));
  for (const { source, target } of links) {
    const link = place(target);
    if (await isMissing(link)) await symlink(relative(dirname(link), place(source)), link).catch(unlessMade(link));
  }
  if (platform() === 'win32') return;
  for (const program of PROGRAM_NAMES) {
    const file = join(native, 'bin', program);
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  }
}

/** Another process may be completing the same package at this moment. */
const unlessMade = (path: string) => async (error: unknown) => {
  if (await isMissing(path)) throw error;
};

const isMissing = (path: string) =>
  lstat(path).then(
    () => false,
    () => true,
  );
