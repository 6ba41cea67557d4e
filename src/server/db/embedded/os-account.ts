import { execFile } from 'node:child_process';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** How PostgreSQL's programs are run; they refuse root. */
export interface Account {
  /** Runs the programs as this account, which also has to own the database's files. */
  readonly ids: { uid: number; gid: number } | null;
  /** A command that runs the rest of its arguments. */
  readonly prefix: readonly string[];
}

export const CURRENT_ACCOUNT: Account = { ids: null, prefix: [] };

/**
 * Returns the first that works: the current account; the owner of an existing database; another id
 * in a user namespace; the account `postgres` or `nobody`. @throws EmbeddedPostgresError
 */
export async function chooseAccount(dataDir: string): Promise<Account> {
  const uid = process.getuid?.();
  const known = await readPasswd();
  if (uid === undefined || (uid !== 0 && known.some((account) => account.uid === uid))) return CURRENT_ACCOUNT;
  const owner = await stat(join(dataDir, 'postgres')).catch(() => null);
  if (uid === 0 && owner && owner.uid !== 0) return { ids: { uid: owner.uid, gid: owner.gid }, prefix: [] };
  // In the namespace our files belong to this id (user_namespaces(7)). `initdb` looks up its name.
  const id = known.findLast((account) => account.uid > 0)?.uid ?? 65534;
  const renumbered = { ids: null, prefix: ['unshare', '--user', `--map-user=${id}`, `--map-group=${id}`, '--'] };
  if (await canEnter(renumbered, dataDir)) return renumbered;
  if (uid !== 0) return CURRENT_ACCOUNT;
  const ids = known.find(({ name }) => name === 'postgres') ?? known.find(({ name }) => name === 'nobody');
  if (ids && !owner) {
    // Containers without user namespaces. The account may enter the folder, but not list it.
    await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
    if (await canEnter({ ids, prefix: [] }, dataDir)) return { ids, prefix: [] };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses root, and this system has no user namespaces. Use an ordinary account, or set DATABASE_URL.',
  );
}

async function readPasswd() {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [name, , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

const canEnter = async (account: Account, folder: string) =>
  (await runProgram(account, '/bin/sh', ['-c', 'test -x "$0"', folder])).isDone;

/** The environment contains none of our secrets and no `PG…` variables. */
export function commandOf({ ids, prefix }: Account, program: string, args: readonly string[]) {
  const [command = program, ...rest] = [...prefix, program, ...args];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { command, args: rest, options: { ...(ids && { uid: ids.uid, gid: ids.gid }), env, windowsHide: true } };
}

/** Resolves when the program has ended. Never rejects. */
export function runProgram(account: Account, program: string, args: readonly string[], cwd = '/') {
  const { command, args: all, options } = commandOf(account, program, args);
  return new Promise<{ isDone: boolean; printed: string }>((resolve) => {
    execFile(command, all, { ...options, cwd }, (error, stdout, stderr) => {
      resolve({ isDone: error === null, printed: `${stdout}${stderr}${error && !stderr ? error.message : ''}` });
    });
  });
}
