import { appendFile, chown, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwnerOf } from '#server/owner-of-folder.ts';
import { type Access, DATABASE } from './access.ts';
import { translateOutput } from './embedded-postgres-error.ts';
import { type Account, runProgram } from './os-account.ts';
import { SETTINGS_FILE } from './settings.ts';

/** Returns the real path of the database's folder, or null when it does not exist. */
export const findCluster = (dataDir: string): Promise<string | null> =>
  realpath(join(dataDir, 'postgres')).catch(() => null);

/** The folder is renamed when complete, so that a crash leaves no incomplete database. */
export async function createCluster(account: Account, bin: string, access: Access, dataDir: string) {
  const draft = join(dataDir, 'postgres.unfinished');
  const passwordFile = `${draft}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (account.ids) await chown(draft, account.ids.uid, account.ids.gid);
  await writeFile(passwordFile, access.password, { mode: 0o600 });
  await giveToOwnerOf(draft, passwordFile);
  // Sorts by code point on every system, but knows upper and lower case of every language.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const login = [`--username=${DATABASE}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = [`--pgdata=${draft}`, '--no-instructions', ...login, ...locale];
  const { isDone, printed } = await runProgram(account, join(bin, 'initdb'), args);
  await rm(passwordFile, { force: true });
  if (!isDone) throw translateOutput(printed, dataDir);
  await appendFile(join(draft, 'postgresql.conf'), `\ninclude_if_exists = '${SETTINGS_FILE}'\n`, { flush: true });
  await rename(draft, join(dataDir, 'postgres'));
  return realpath(join(dataDir, 'postgres'));
}
