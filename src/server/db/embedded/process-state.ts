import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';
import { BARE_ENVIRONMENT } from './run-program.ts';

const run = promisify(execFile);

/** Whether a process with this id runs. One that ended but was not collected by its parent does not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The state follows the name, which stands in parentheses and may contain any character: proc_pid_stat(5).
  return !status.slice(status.lastIndexOf(')')).startsWith(') Z');
}

/** Whether this process is a PostgreSQL server on that folder, rather than a program that got the same id later. */
export async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (platform() === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
  if (platform() === 'win32') {
    const { stdout } = await run('tasklist', ['/FI', `PID eq ${pid}`, '/NH']).catch(() => ({ stdout: '' }));
    return stdout.includes('postgres.exe');
  }
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'args='], { env: BARE_ENVIRONMENT }).catch(() => ({
    stdout: '',
  }));
  return stdout.includes(cluster);
}
