import { readFile } from 'node:fs/promises';

/** What Linux counts processor time in, everywhere but on exotic kernels (sysconf(3), _SC_CLK_TCK). */
const TICKS_PER_SECOND = 100;

/** Processor time that a process has used so far, user and system (proc_pid_stat(5)); null where there is no /proc. */
export async function cpuSeconds(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name of the program comes second and may hold spaces; it ends at the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
