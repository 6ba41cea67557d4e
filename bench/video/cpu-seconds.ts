import { readFile } from 'node:fs/promises';

/** Ticks of processor time, except on exotic kernels (sysconf(3), _SC_CLK_TCK). */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time that a process has used so far, user and system (proc_pid_stat(5)), or
 * null without /proc.
 */
export async function cpuSeconds(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The second field, the name of the program, can contain spaces. It ends at the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
