import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { platform, userInfo } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type Account, type Ids, runProgram } from './run-program.ts';

/**
 * The first that works: this account; whoever owns the cluster already; root under another number in a user namespace, which needs
 * no account and changes no owner; the account `postgres`.
 *
 * @throws EmbeddedPostgresError when this is root and none of them is possible
 */
export async function chooseAccount(dataDir: string): Promise<Account> {
  const certain = await certainAccount(dataDir);
  if (certain) return certain;
  const renumbered = await inNamespace(dataDir);
  if (await canReach(renumbered, dataDir)) return renumbered;
  if (process.getuid?.() !== 0) return thisAccount(dataDir);
  return accountPostgres(dataDir, (await ownerOf(dataDir)) !== null);
}

/** As whom the cluster that is there was made, most likely. Not tried out, which would cost a process. */
export const accountAsBefore = async (dataDir: string): Promise<Account> =>
  (await certainAccount(dataDir)) ?? inNamespace(dataDir);

/** Where there is nothing to try; null else. */
async function certainAccount(dataDir: string): Promise<Account | null> {
  const uid = process.getuid?.();
  if (uid === undefined || (uid !== 0 && hasName())) return thisAccount(dataDir);
  const owner = await ownerOf(dataDir);
  return uid === 0 && owner && owner.uid !== 0 ? otherAccount(dataDir, owner) : null;
}

/** Of the cluster; null when there is none. */
const ownerOf = async (dataDir: string): Promise<Ids | null> => {
  const stats = await stat(join(dataDir, 'postgres')).catch(() => null);
  return stats && { uid: stats.uid, gid: stats.gid };
};

/** Whether that account may enter the folder, or execute the file. */
export const canReach = async (account: Account, path: string) =>
  platform() === 'win32' || (await runProgram(account, '/bin/sh', ['-c', 'test -x "$0"', path])).ok;

const thisAccount = (home: string): Account => ({
  home,
  ids: null,
  wrap: (program, args) => ({ command: program, args: [...args], ids: {} }),
});

const otherAccount = (home: string, ids: Ids): Account => ({
  home,
  ids,
  wrap: (program, args) => ({ command: program, args: [...args], ids }),
});

/** See user_namespaces(7): inside, files of the real account belong to `id`, and `id` is not root. */
async function inNamespace(home: string): Promise<Account> {
  const id = await someNamedId();
  const flags = ['--user', `--map-user=${id}`, `--map-group=${id}`, '--'];
  return {
    home,
    ids: null,
    wrap: (program, args) => ({ command: 'unshare', args: [...flags, program, ...args], ids: {} }),
  };
}

/** `initdb` looks up the name of its user id, so the number must be one of /etc/passwd. Any but root's will do. */
async function someNamedId(): Promise<number> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const ids = passwd.split('\n').map((line) => Number(line.split(':')[2] ?? 0));
  return ids.findLast((id) => id > 0) ?? 65534;
}

async function accountPostgres(dataDir: string, clusterIsRoots: boolean): Promise<Account> {
  const ids = (await idsOf('postgres')) ?? (await createAccountPostgres());
  const inPlace = otherAccount(dataDir, ids);
  // Only passing through is granted, not reading, and only for our own folder, never for one above it.
  if (!(await canReach(inPlace, dataDir))) await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
  if (await canReach(inPlace, dataDir)) return inPlace;
  if (clusterIsRoots) {
    throw new EmbeddedPostgresError(
      `The database in ${dataDir} belongs to root, PostgreSQL does not run as root, and other accounts cannot enter this folder. ` +
        'Move DATA_DIR to a folder that others may enter, or run as an ordinary account.',
    );
  }
  const reachable = `/var/lib/video-interviews-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  await mkdir(reachable, { recursive: true, mode: 0o711 });
  return otherAccount(reachable, ids);
}

async function createAccountPostgres(): Promise<Ids> {
  const here = thisAccount('/');
  const debian = ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'];
  const made = await runProgram(here, 'useradd', debian);
  if (!made.ok) await runProgram(here, 'adduser', ['-S', '-D', '-H', 'postgres']);
  const ids = await idsOf('postgres');
  if (ids) return ids;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, this system allows no user namespace, and the account `postgres` could not be created ' +
      `(${made.printed.trim()}). Run this program as an ordinary account, or set DATABASE_URL.`,
  );
}

async function idsOf(name: string): Promise<Ids | null> {
  const ask = (flag: string) => runProgram(thisAccount('/'), 'id', [flag, name]);
  const [user, group] = [await ask('-u'), await ask('-g')];
  return user.ok && group.ok ? { uid: Number(user.printed), gid: Number(group.printed) } : null;
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
