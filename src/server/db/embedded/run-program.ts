import { execFile } from 'node:child_process';

/** PostgreSQL refuses to run as root. This says as whom it runs, and in which folder its data can live. */
export interface Account {
  /** The folder that holds the cluster: DATA_DIR, unless the account cannot enter it. */
  readonly home: string;
  /** To whom the cluster's folder must be given; null when it already belongs to the right one. */
  readonly ids: Ids | null;
  wrap(program: string, args: readonly string[]): { command: string; args: string[]; ids: Partial<Ids> };
}

export interface Ids {
  uid: number;
  gid: number;
}

/**
 * The environment of every child: nothing of ours, so that no secret of the application is visible there and no `PG…` variable
 * of the machine changes what PostgreSQL does.
 */
export const BARE_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs to the end under that account; what it printed, and whether it succeeded. Never throws. */
export function runProgram(account: Account, program: string, args: readonly string[]) {
  const { command, args: all, ids } = account.wrap(program, args);
  return new Promise<{ ok: boolean; printed: string }>((resolve) => {
    execFile(command, all, { ...ids, env: BARE_ENVIRONMENT, cwd: '/', windowsHide: true }, (error, stdout, stderr) => {
      resolve({ ok: error === null, printed: `${stdout}${stderr}${error && !stderr ? error.message : ''}` });
    });
  });
}
