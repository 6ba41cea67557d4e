import { appendFile, chown, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Access, DATABASE } from './access.ts';
import { translateOutput } from './embedded-postgres-error.ts';
import { type Account, runProgram } from './os-account.ts';
import type { Programs } from './programs.ts';
import { SETTINGS_FILE, type Settings } from './settings.ts';

/** Returns the real path of the database's folder, or null when it does not exist. */
export const findCluster = (dataDir: string): Promise<string | null> =>
  realpath(join(dataDir, 'postgres')).catch(() => null);

/** The folder is renamed when complete, so that a crash leaves no incomplete database. */
export async function createCluster(account: Account, programs: Programs, access: Access, dataDir: string) {
  const draft = join(dataDir, 'postgres.unfinished');
  const passwordFile = `${draft}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, access.password, { mode: 0o600 });
  await giveTo(account, draft);
  await giveTo(account, passwordFile);
  // Sorts by code point on every system, but knows upper and lower case of every language.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const login = [`--username=${DATABASE}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = [`--pgdata=${draft}`, '--no-instructions', ...login, ...locale];
  const { isDone, printed } = await runProgram(account, programs.path('initdb'), args);
  await rm(passwordFile, { force: true });
  if (!isDone) throw translateOutput(printed, dataDir);
  await appendFile(join(draft, 'postgresql.conf'), `\ninclude_if_exists = '${SETTINGS_FILE}'\n`, { flush: true });
  await rename(draft, join(dataDir, 'postgres'));
  return realpath(join(dataDir, 'postgres'));
}

export async function writeSettings(account: Account, cluster: string, settings: Settings & { port: number }) {
  const file = join(cluster, SETTINGS_FILE);
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  const text = `# Written at every start of the application. Changes are lost.\n${lines.join('')}`;
  await writeFile(file, text, { mode: 0o600 });
  await giveTo(account, file);
}

const giveTo = async ({ ids }: Account, path: string) => ids && chown(path, ids.uid, ids.gid);
