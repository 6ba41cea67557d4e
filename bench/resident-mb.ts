import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Physical memory that a process holds, in MB: what Linux calls VmRSS, or what `ps` says elsewhere. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const kilobytes = status
    ? /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout;
  if (!kilobytes) throw new Error(`Nobody says how much memory process ${pid} holds.`);
  return Number(kilobytes) / 1024;
}

/** The most that was seen from `peakOf` until `stop()`. */
export interface Peak {
  stop(): Promise<number>;
}

const LOOK_EVERY_MS = 25;

export function peakOf(pid: number): Peak {
  let peak = 0;
  let looking = Promise.resolve();
  const look = async () => {
    peak = Math.max(peak, await residentMb(pid).catch(() => 0));
  };
  const timer = setInterval(() => {
    looking = look();
  }, LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
      await look();
      return peak;
    },
  };
}
