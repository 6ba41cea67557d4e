import { readFile } from 'node:fs/promises';
import { run } from '../scripts/steps/workspace.ts';

/** Returns the resident memory of a process in MB: VmRSS on Linux, `ps` elsewhere. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const kilobytes = status
    ? /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout;
  if (!kilobytes) throw new Error(`The memory of process ${pid} is unknown.`);
  return Number(kilobytes) / 1024;
}

const SAMPLE_INTERVAL_MS = 25;

/** Returns the largest resident memory of a process in MB while `work` runs. */
export async function peakMb(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, await residentMb(pid).catch(() => 0));
  };
  const timer = setInterval(look, SAMPLE_INTERVAL_MS);
  await work().finally(() => clearInterval(timer));
  await look();
  return peak;
}
